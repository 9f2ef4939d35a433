// A child that is ready at once and ends when it is asked to.
process.on("SIGTERM", () => process.exit(0));
process.send?.({ ready: true, pid: process.pid });
setInterval(() => process.send?.({ beat: true }), 50);
