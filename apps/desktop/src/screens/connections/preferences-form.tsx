import type { ReactNode } from "react";
import { CheckField, SelectField } from "../../components/fields.tsx";
import { Section } from "../../components/page.tsx";
import { changePreferences, type Theme, usePreferences } from "../../data/preferences.ts";
import { knownZones, ownZone } from "../../data/words.ts";

const themeNames: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };

/** What a person chose about the screens. It is kept on this machine. */
export function PreferencesForm(): ReactNode {
  const { theme, zone, hasKeys } = usePreferences();
  return (
    <Section title="Preferences">
      <div className="flex max-w-xl flex-col gap-3">
        <SelectField
          label="Colours"
          value={theme}
          onChange={(event) => changePreferences({ theme: event.target.value as Theme })}
        >
          {Object.entries(themeNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Time zone"
          value={zone ?? ""}
          onChange={(event) => changePreferences({ zone: event.target.value === "" ? null : event.target.value })}
        >
          <option value="">This computer&apos;s ({ownZone()})</option>
          {knownZones().map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <CheckField
          label="Single-key shortcuts"
          hint="Press ? for the list."
          checked={hasKeys}
          onChange={(event) => changePreferences({ hasKeys: event.target.checked })}
        />
      </div>
    </Section>
  );
}
