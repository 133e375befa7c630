/** The floor of an idle trigger server: an HTTP server with one timer a second. Prints its process id. */
import { createServer } from 'node:http';

setInterval(() => undefined, 1000);
createServer((_request, answer) => answer.end()).listen(0, '127.0.0.1', () => console.log(process.pid));
