import { createServer, type Socket } from "node:net";

/**
 * An origin of one process that floods: `/hints` with informational responses, any other path with
 * chunks of one byte. It prints its port.
 */
const hints = Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n".repeat(1_000));
const crumbs = Buffer.from("1\r\nx\r\n".repeat(10_000));
const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

function flood(socket: Socket, bytes: Buffer): void {
  const fill = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on("drain", fill);
  fill();
}

const server = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", (request: Buffer) => {
    const isHints = request.toString("latin1").startsWith("GET /hints");
    if (!isHints) socket.write(head);
    flood(socket, isHints ? hints : crumbs);
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
