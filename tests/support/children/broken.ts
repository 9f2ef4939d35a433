// A child that never gets ready.
process.exit(3);
