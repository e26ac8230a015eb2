import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../components/button.tsx";
import { classNames } from "../components/class-names.ts";
import { useSession } from "../data/session.tsx";
import { places } from "./places.ts";

/** The rail on the left; on a narrow screen, a button that shows it. */
export function Rail({ onSearch, onKeys }: { readonly onSearch: () => void; readonly onKeys: () => void }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <header className="sticky top-0 z-20 border-b bg-surface md:h-screen md:w-(--rail) md:shrink-0 md:border-r md:border-b-0">
      <div className="flex items-center gap-2 p-2 md:flex-col md:items-stretch">
        {/* on a wide screen, a name that is too long for this line gets its own, and is not cut off */}
        <div className="flex min-w-0 items-center md:flex-wrap">
          <Link to="/" className="flex items-center gap-2 px-2 py-1 font-semibold">
            <img src="./icon.svg" alt="" width="16" height="16" />
            Belfry
          </Link>
          <OtherDaemon />
        </div>
        <Button className="ml-auto md:ml-0 md:justify-between" onClick={onSearch}>
          Search <kbd className="hidden text-muted md:inline">Ctrl K</kbd>
        </Button>
        <Button className="md:hidden" aria-expanded={isOpen} aria-controls="places" onClick={() => setIsOpen(!isOpen)}>
          Menu
        </Button>
      </div>
      <nav id="places" aria-label="Screens" className={classNames("px-2 pb-2 md:block", isOpen ? "block" : "hidden")}>
        <ul>
          {places.map(({ to, name }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === "/", includeSearch: false }}
                onClick={() => setIsOpen(false)}
                className="flex h-8 items-center rounded-sm px-2 hover:bg-hover hover:no-underline aria-[current=page]:bg-hover aria-[current=page]:font-semibold"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
        <Button look="quiet" className="mt-2 w-full justify-start px-[7px]! text-muted" onClick={onKeys}>
          Keys <kbd>?</kbd>
        </Button>
      </nav>
    </header>
  );
}

/** Whose tasks these are, unless they are those of this machine: an act on the wrong daemon is easily done. */
function OtherDaemon(): ReactNode {
  const { profile } = useSession();
  if (profile === "local") return null;
  return (
    <Link
      to="/connections"
      title={profile}
      className="min-w-0 truncate rounded-sm px-2 py-1 font-semibold text-attention"
    >
      <span className="sr-only">Daemon: </span>
      {profile}
    </Link>
  );
}
