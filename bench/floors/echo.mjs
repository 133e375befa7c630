/** Answers every POST with its own body. Prints its address once it listens. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces);
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
