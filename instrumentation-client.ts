import { config } from "zod";

// Runs in the browser before any other module of ours. Zod would try `new
// Function` to see whether it may: the page's policy forbids it and reports it.
config({ jitless: true });
