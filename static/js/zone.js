// Tells the server the device's time zone, and rewrites times on a page made before it knew.

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

const STYLES = {
  full: { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" },
  short: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  day: { weekday: "long", day: "numeric", month: "long" },
  date: { day: "numeric", month: "long", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit" },
};

// The same words in the same order as the server writes them: "Thursday 14 May, 19:30".
function formatTime(moment, style) {
  const options = { ...STYLES[style], hourCycle: "h23" };
  if (options.day && moment.getFullYear() !== new Date().getFullYear()) options.year = "numeric";
  const part = {};
  for (const { type, value } of new Intl.DateTimeFormat("en-GB", options).formatToParts(moment)) part[type] = value;
  const day = [part.weekday, part.day, part.month, part.year].filter(Boolean).join(" ");
  const time = part.hour ? `${part.hour}:${part.minute}` : "";
  return [day, time].filter(Boolean).join(", ");
}

function rewrite(root) {
  for (const time of root.querySelectorAll("time[data-when]")) {
    const moment = new Date(time.dateTime);
    if (time.dataset.when in STYLES && !Number.isNaN(moment.getTime())) time.textContent = formatTime(moment, time.dataset.when);
  }
}

if (here) {
  const known = document.cookie.split("; ").includes(`zone=${here}`);
  if (!known) document.cookie = `zone=${here}; path=/; max-age=31536000; samesite=lax`;
  if (document.documentElement.dataset.zone !== here) {
    rewrite(document);
    document.addEventListener("htmx:afterSwap", (event) => rewrite(event.target));
  }
}
