import type { ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { Section } from "../components/page.tsx";
import { useSession } from "../data/session.tsx";

/** Ends the session of these screens, before somebody else gets the computer. The page then says so itself. */
export function EndSession(): ReactNode {
  const { shell } = useSession();
  return (
    <Section title="Session" act={<Button onClick={() => void shell.close()}>End the session</Button>}>
      <p className="text-muted">
        This closes the screens in all tabs of this session. To open them again, get a new address from belfry ui.
      </p>
    </Section>
  );
}
