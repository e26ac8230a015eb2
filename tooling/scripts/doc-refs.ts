import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Finds broken references in documents: a path in backticks must exist, and a relative link must have a target. A word
 * counts as a path if its first part is a directory here, beside the document, or in the sources of a package.
 */
export function findBrokenReferences(root: string): readonly string[] {
  const exclude = (name: string): boolean => /(^|\/)(node_modules|dist|fixtures|\.git)$/.test(name);
  const documents = globSync(["*.md", "*/**/*.md", ".[a-z]*/**/*.md"], { cwd: root, exclude });
  return [...new Set(documents)].toSorted().flatMap((document) => {
    const text = readFileSync(join(root, document), "utf8");
    const prose = text.replaceAll(/^ *(`{3,}|~{3,})[^]*?^ *\1/gm, "");
    const broken = [...brokenPaths(root, document, prose), ...brokenLinks(root, document, prose)];
    return broken.map((reference) => `${document}: ${reference} does not exist`);
  });
}

function brokenPaths(root: string, document: string, prose: string): readonly string[] {
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, span = ""]) => span.split(/\s+/));
  const words = spans.map((word) =>
    word
      .replace(/[.,;:)]+$/, "")
      .replace(/:\d+$/, "")
      .replace(/^\.\//, ""),
  );
  const sources = globSync("{packages,apps}/*/src", { cwd: root }).map((source) => join(root, source));
  const bases = [root, join(root, dirname(document)), ...sources];
  return words.filter((word) => {
    const [first = ""] = word.split("/");
    if (!/^[\w.@-]+\/[\w.@/<>{},*-]+$/.test(word) || /(^|\/)(dist|node_modules)(\/|$)/.test(word)) return false;
    const folders = bases.filter((base) => existsSync(join(base, first)));
    const glob = word.replaceAll(/<[^>]*>/g, "*").replace(/\/$/, "");
    return folders.length > 0 && folders.every((folder) => globSync(glob, { cwd: folder }).length === 0);
  });
}

function brokenLinks(root: string, document: string, prose: string): readonly string[] {
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const named = [...prose.matchAll(/^\[[^\]]+\]:\s+<?(\S+?)>?\s*$/gm)];
  const targets = [...inline, ...named]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/.test(target));
  return targets.filter((target) => {
    const [path = "", fragment] = target.split("#");
    const file = path === "" ? document : join(dirname(document), decodeURIComponent(path));
    if (!existsSync(join(root, file))) return true;
    return fragment !== undefined && file.endsWith(".md") && !anchorsOf(join(root, file)).includes(fragment);
  });
}

/** Lists the anchors of a document's headings as GitHub names them. */
function anchorsOf(file: string): readonly string[] {
  const headings = [...readFileSync(file, "utf8").matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(
    ([, heading = ""]) => heading,
  );
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
