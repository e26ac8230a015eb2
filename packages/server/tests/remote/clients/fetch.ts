// Reads the tasks of a daemon with Node's own fetch. Argument: the address. NODE_EXTRA_CA_CERTS names the root, and
// the token comes from standard input.
import { text } from "node:stream/consumers";

const token = (await text(process.stdin)).trim();
const response = await fetch(`${process.argv[2]}/api/v1/tasks?limit=100`, {
  headers: { authorization: `Bearer ${token}` },
});
console.log(JSON.stringify({ status: response.status, body: await response.json() }));
