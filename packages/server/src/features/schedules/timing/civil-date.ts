/** Arithmetic of the Gregorian calendar without a zone. A day is its number since 1970-01-01; a month is `year * 12 + month`. */

export const dayMs = 86_400_000;

/**
 * Finds the month of a day, as Hinnant's `civil_from_days` does. Years are counted from 1 March, so that the leap day
 * is the last of its year.
 */
export function monthOfDay(day: number): number {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthsSinceMarch = Math.floor((5 * dayOfYear + 2) / 153);
  return (era * 400 + yearOfEra) * 12 + 2 + monthsSinceMarch;
}

/** Finds the first day of a month, as Hinnant's `days_from_civil` does. */
export function firstDayOfMonth(month: number): number {
  const sinceMarch = month - 2;
  const year = Math.floor(sinceMarch / 12);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (sinceMarch - year * 12) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Returns the weekday of a day; Sunday is 0. */
export function weekdayOfDay(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}
