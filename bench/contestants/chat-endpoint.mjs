// The endpoint that contestants without one of their own serve on Express.
import express from 'express';

/** Serves turns; `take` sends the text of a turn, and rejects if the turn fails. */
export function serveChat(take) {
  const app = express();
  app.use(express.json());
  app.post('/chat', async (request, response) => {
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    try {
      await take(request.body.message, send, abort.signal);
      send({ type: 'done' });
    } catch (error) {
      send({ type: 'error', message: error.message });
    } finally {
      response.end();
    }
  });
  const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
}
