/** Answers the download of a snapshot with the compressed file of that name. Prints its address once it listens. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

const [folder = '.'] = process.argv.slice(2);
const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };

const server = createServer((request, response) => {
  const [, name = ''] = /^\/datasets\/snapshots\/(\w+)\/download/.exec(request.url) ?? [];
  response.writeHead(200, headers);
  pipeline(createReadStream(join(folder, name)), response, () => undefined);
});

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
