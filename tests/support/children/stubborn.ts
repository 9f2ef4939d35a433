// A child that is ready and hears no SIGTERM.
process.on("SIGTERM", () => undefined);
process.send?.({ ready: true });
setInterval(() => undefined, 1000);
