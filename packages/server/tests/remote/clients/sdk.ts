// Runs one step of a client in a process of its own. Standard input: the step as JSON. Standard output: its result.
import { text } from "node:stream/consumers";
import { connectRemote, enrollRemote, type EnrollOptions, type RemoteProfile } from "@belfry/client/remote";

type Step =
  | { readonly do: "enroll"; readonly options: EnrollOptions }
  | { readonly do: "read"; readonly profile: RemoteProfile };

const step = JSON.parse(await text(process.stdin)) as Step;
try {
  console.log(JSON.stringify({ value: await take(step) }));
} catch (error) {
  const { name, message } = error as Error;
  console.log(JSON.stringify({ error: name, message }));
}

async function take(asked: Step): Promise<unknown> {
  if (asked.do === "enroll") return enrollRemote(asked.options);
  await using client = connectRemote(asked.profile, { retries: 0, timeoutMs: 20_000 });
  return await client.tasks.list();
}
