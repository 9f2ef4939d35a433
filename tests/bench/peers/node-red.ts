import type { StartSubject } from "../cost/measure.ts";
import { install, startPeer } from "./install.ts";

// Node-RED with `pg`: a flow of four nodes, as its documentation of webhooks shows, with the signature and the insert in a function node.

const TABLE =
  "CREATE TABLE events (id text PRIMARY KEY, type text NOT NULL, created bigint NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), body text NOT NULL)";

const SET_UP = `context.set("pool", new pg.Pool({ connectionString: env.get("DATABASE_URL") }));`;

const RECEIVE = `const body = msg.payload;
const given = Buffer.from(String(msg.req.headers["x-webhook-signature"]), "hex");
const expected = crypto.createHmac("sha256", env.get("SECRET")).update(body).digest();
if (given.length !== expected.length || !crypto.timingSafeEqual(expected, given)) return { ...msg, statusCode: 401, payload: { error: "signature" } };
const { id, type, created } = JSON.parse(body.toString());
const { rowCount } = await context.get("pool").query({ name: "insert",
  text: "INSERT INTO events (id, type, created, body) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
  values: [id, type, created, body.toString()] });
msg.statusCode = 200;
msg.payload = { received: true, id, duplicate: rowCount === 0 };
return msg;`;

const FLOW = [
  { id: "tab", type: "tab", label: "webhooks" },
  { id: "in", type: "http in", z: "tab", url: "/webhooks", method: "post", upload: false, skipBodyParsing: true, wires: [["apply"]] },
  {
    id: "apply",
    type: "function",
    z: "tab",
    func: RECEIVE,
    outputs: 1,
    initialize: SET_UP,
    finalize: "",
    libs: [
      { var: "pg", module: "pg" },
      { var: "crypto", module: "node:crypto" },
    ],
    wires: [["out"]],
  },
  { id: "out", type: "http response", z: "tab", wires: [] },
];

const SETTINGS = `module.exports = { uiHost: "127.0.0.1", flowFile: "flows.json", credentialSecret: false, httpAdminRoot: "/admin", functionExternalModules: true,
  externalModules: { autoInstall: false }, telemetry: { enabled: false }, logging: { console: { level: "error" } } };
`;

/** Installs it. @returns how to start it */
export function installNodeRed(parent: string): StartSubject {
  const folder = install(parent, {
    name: "node-red",
    dependencies: { "node-red": "latest", pg: "latest" },
    files: { "settings.cjs": SETTINGS, "flows.json": JSON.stringify(FLOW) },
  });
  const args = (port: number) => [
    "node_modules/node-red/red.js",
    "--userDir",
    folder,
    "--settings",
    "settings.cjs",
    "--port",
    String(port),
  ];
  return startPeer({ folder, args, table: "events", create: TABLE });
}
