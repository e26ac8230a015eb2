const leapDay = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`;
const otherDay = String.raw`\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`;

/** The source of a regular expression for times in UTC, to the nanosecond. It accepts only existing dates, and no leap seconds. */
export const instantPattern = String.raw`^(?:${leapDay}|${otherDay})T${time}(?:\.\d{1,9})?Z$`;
