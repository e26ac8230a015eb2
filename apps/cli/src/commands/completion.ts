import { defineStandaloneCommand } from "../command.ts";
import { completionScripts, shells } from "../completion/scripts.ts";
import { usage } from "../failure.ts";

export const command = defineStandaloneCommand({
  arguments: [{ name: "shell", summary: `name of the shell: ${shells.join(", ")}` }],
  details: "Completes commands, options, and the names of tasks and other resources.",
  examples: [
    ['eval "$(belfry completion bash)"', "in ~/.bashrc"],
    ['eval "$(belfry completion zsh)"', "in ~/.zshrc, after compinit"],
    ["belfry completion fish | source", "in ~/.config/fish/config.fish"],
  ],
  run: async ({ args: [typed], out }) => {
    const shell = shells.find((known) => known === typed);
    if (shell === undefined)
      throw usage(`no completion for the shell ${JSON.stringify(typed)}. Use one of ${shells.join(", ")}`);
    out.write(completionScripts[shell]);
  },
});
