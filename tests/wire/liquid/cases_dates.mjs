// Every conversion and flag, the forms in which dates are written, and zones with their odd days.
const conversions = [...'aAbBcCdeHIjklLmMNpPqsSuUwWxXyYzZhnt%EfQ+'];
const flags = ['', '-', '_', '0', '^', '#', ':', '8', '-3', '012', '_10', '^#', 'E', '3'];
const moments = ['2026-01-01T00:00:00Z', '2024-02-29T12:30:45.678Z', '2026-12-31T23:59:59.999Z', '1999-07-04T13:05:09Z', '1969-12-31T23:59:59.500Z', '0099-03-01T00:00:00Z', '2023-11-21T09:00:00Z'];
const written = ['2026', '2026-07', '2026-07-05', '2026-7-5', '2026-07-05T10:30', '2026-07-05T10:30:15', '2026-07-05T10:30:15.5', '2026-07-05T10:30:15.123456Z', '2026-07-05T10:30:15+02:00', '2026-07-05T10:30:15-0530', '2026-07-05 10:30', '2026-07-05 10:30:15 +0200', '2026-07-05T24:00:00', '2026-07-05T25:00', '2026-13-01', '2026-02-30', '2026-02-32', '2026/07/05', '7/5/2026', '07/05/2026 10:30 PM', '7/5/26', '13/5/2026', 'July 5, 2026', 'Jul 5 2026 10:30:15', '5 July 2026', '5 Jul 2026 10:30 am', '5-Jul-2026', 'Sun, 05 Jul 2026 10:30:15 GMT', 'Sun, 05 Jul 2026 10:30:15 +0200', 'Sun Jul 05 2026 10:30:15 GMT+0200 (CEST)', 'Jul 5', 'July 2026', 'yesterday', 'hello 5', 'now', 'today', '', ' ', '12:30', '2026-07-05T10', 'Thu, 1 Jan 1970 00:00:00 EST', '2026-07-05T10:30Z', '+002026-07-05T00:00:00Z', '-000001-01-01T00:00:00Z', '2026-07-05T10:30:15 Z', '1/1/1', '31 Dec 49', '31 Dec 50', '12:30 PM July 4 2026', '2026-07-05 12:00 am', '2026-07-05 12:00 pm', '2026-07-05 13:00 pm', '1700000000', '1700000000.5', '275760-09-13', '2026-07-05T10:30:60', '0'];
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Auckland', 'America/Sao_Paulo', 'Africa/Casablanca', 'Asia/Tehran', 'Europe/Dublin', 'Pacific/Apia', 'Etc/GMT+5'];
const zoneMoments = ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-10-25T00:59:59Z', '2026-10-25T01:00:00Z', '2026-03-08T06:59:59Z', '2026-03-08T07:00:00Z', '2026-11-01T05:59:59Z', '2026-11-01T06:00:00Z', '2026-04-04T14:59:59Z', '2026-04-04T15:00:00Z', '2050-07-01T12:00:00Z', '2090-12-25T12:00:00Z', '1985-06-15T12:00:00Z', '2011-12-30T09:59:59Z', '2011-12-30T10:00:00Z'];

export function dateRows() {
  const rows = [];
  const quoted = (text) => JSON.stringify(text);
  for (const conversion of conversions) {
    const format = flags.map((flag) => `[%${flag}${conversion}]`).join('');
    for (const moment of moments) rows.push({ template: `{{ ${quoted(moment)} | date: ${quoted(format)} }}` });
  }
  for (const text of written) rows.push({ template: '{{ d | date: "%Y-%m-%dT%H:%M:%S.%L" }}', data: { d: text } });
  for (const d of [0, 1700000000, -1, 1.5, null, true, [], {}, 9e15, '9e15']) rows.push({ template: '{{ d | date: "%Y-%m-%dT%H:%M:%S.%L" }}', data: { d } });
  for (const zone of zones) {
    for (const moment of zoneMoments) rows.push({ template: `{{ ${quoted(moment)} | date: "%Y-%m-%d %H:%M %z %:z %Z %s %a", ${quoted(zone)} }}` });
  }
  for (const offset of [0, 60, -330, 720, -845]) rows.push({ template: `{{ "2026-07-05T10:30:00Z" | date: "%c %z %Z", ${offset} }}` });
  for (const template of ['{{ "now" | date }}', '{{ "today" | date: "%F %D %R %Y" }}', '{{ date | date: nil }}', '{{ date | date: "" }}', '{{ date | date: missing }}', '{{ date | date: 5 }}', '{{ date | date_to_xmlschema }}', '{{ "now" | date: "%s" | minus: 86400 | date: "%Y-%m-%d" }}', '{{ date | date: "100%" }}', '{{ date | date: "%" }}', '{{ date | date: "%5" }}', '{{ date | date: "%é" }}']) rows.push({ template });
  return rows;
}
