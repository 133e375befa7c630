/** The minimum of an emulator: a bare server that answers every request with the bytes that a URL answers. Arguments: the URL, its key. */
import { createServer } from 'node:http';

const [url, key] = process.argv.slice(2);
const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
const body = Buffer.from(await answer.arrayBuffer());
const headers = { 'content-type': answer.headers.get('content-type'), 'content-length': body.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
