/** Where the system looks if `PATH` is missing. */
const defaultPath = "/bin:/usr/bin";

/** Lists the files that a program name may mean, as execvp(3) searches them. */
export function placesOf(program: string, path: string | undefined): readonly string[] {
  if (program === "" || program.includes("/")) return [program];
  return (path ?? defaultPath).split(":").map((folder) => (folder === "" ? program : `${folder}/${program}`));
}
