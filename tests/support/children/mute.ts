// A child that tells that it works a few times, and then nothing more.
process.on("SIGTERM", () => process.exit(0));
process.send?.({ ready: true });
const beats = setInterval(() => process.send?.({ beat: true }), 50);
setTimeout(() => clearInterval(beats), 500);
setInterval(() => undefined, 1000);
