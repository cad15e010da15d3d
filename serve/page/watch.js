/* The third state: a run at work, with its progress, the losses of the current network and the distance of the two groups;
 * and the state of a run that ended without a result. */
import { events, get, remove } from "./api.js";
import { announce, duration, showProblem, showState } from "./ui.js";

const { byId, count, make, own, plural } = odim;

/* ---- drawing ---- */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const frame = { left: 12, right: 468, top: 12, bottom: 204 };
const element = (tag, values, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const axis = () => element("path", { class: "frame", d: `M${frame.left} ${frame.bottom}H${frame.right}` });
const words = (x, anchor, text) => element("text", { class: "quiet", x, y: frame.bottom + 18, "text-anchor": anchor }, text);

/* The histogram of the losses. All histograms of a network share one axis, so that the bars move as the losses do. */
const bins = 60;
const makeLosses = (svg) => {
  const rects = Array.from({ length: bins }, () => element("rect", { class: "bar f0 s0" }));
  const caption = element("text", { class: "name", x: frame.right, y: frame.top + 12, "text-anchor": "end" });
  svg.replaceChildren(...rects, axis(), words(frame.left, "start", "predicted well"), words(frame.right, "end", "predicted badly"), caption);
  let member = -1, heard = 0, low = 0, high = 1, at = new Array(bins).fill(0), to = at, began = 0, moving = 0;

  const draw = () => {
    const most = Math.max(1, ...at), width = (frame.right - frame.left) / bins;
    rects.forEach((rect, i) => {
      const height = ((frame.bottom - frame.top - 24) * Math.log1p(at[i])) / Math.log1p(most);
      rect.setAttribute("x", (frame.left + i * width + 0.5).toFixed(2));
      rect.setAttribute("width", (width - 1).toFixed(2));
      rect.setAttribute("y", (frame.bottom - height).toFixed(2));
      rect.setAttribute("height", height.toFixed(2));
    });
  };
  const step = (time) => {
    const share = Math.max(0, Math.min(1, (time - began) / 220));
    at = at.map((v, i) => v + (to[i] - v) * share);
    draw();
    moving = share < 1 && svg.isConnected ? requestAnimationFrame(step) : 0;
  };

  /* The bars of a histogram on the axis of the network. */
  const onAxis = (event) => {
    const sum = new Array(bins).fill(0), from = (event.high - event.low) / event.counts.length, width = (high - low) / bins;
    event.counts.forEach((rows, i) => {
      const begin = (event.low + i * from - low) / width, end = begin + from / width;
      for (let k = Math.max(0, Math.floor(begin)); k < Math.min(bins, Math.ceil(end)); k++)
        sum[k] += (rows * Math.max(0, Math.min(end, k + 1) - Math.max(begin, k))) / (end - begin);
    });
    return sum;
  };
  /* Rows far to the right of the middle half are colored. */
  const color = () => {
    const all = to.reduce((sum, n) => sum + n, 0);
    const quantile = (share) => {
      let sum = 0;
      return to.findIndex((n) => (sum += n) >= share * all);
    };
    const upper = quantile(0.75), cut = upper + Math.max(2, 3 * (upper - quantile(0.25)));
    rects.forEach((rect, i) => rect.setAttribute("class", i > cut ? "bar f1 s1" : "bar f0 s0"));
  };
  return (event) => {
    /* Networks may learn at the same time: one of them is shown, as long as it sends something. */
    const now = performance.now();
    if (event.member !== member && now - heard < 1500 && member >= 0 && event.member < member + 1) return;
    if (!(event.high > event.low)) return;
    if (event.member !== member) [low, high] = [event.low, event.high];
    else [low, high] = [Math.min(low, event.low), Math.max(high, event.high)];
    member = event.member;
    heard = now;
    caption.textContent = `network ${count(member + 1)}, update ${count(event.update)}`;
    to = onAxis(event);
    color();
    if (calm.matches) {
      at = to;
      draw();
    } else {
      began = now;
      if (!moving) moving = requestAnimationFrame(step);
    }
  };
};

const makeDistance = (svg) => {
  const lines = new Map();
  let far = 1, most = 0, waiting = false;
  const draw = () => {
    waiting = false;
    const last = Math.max(...lines.keys());
    const place = ([update, distance]) => `${(frame.left + ((frame.right - frame.left) * update) / far).toFixed(1)} ` +
      `${(frame.bottom - ((frame.bottom - frame.top - 20) * Math.max(0, distance)) / (most || 1)).toFixed(1)}`;
    const paths = [...lines].map(([member, points]) =>
      element("path", { class: member === last ? "line s0" : "line thin s0", d: `M${points.map(place).join("L")}` }));
    svg.replaceChildren(...paths, axis(), words(frame.left, "start", "updates"), words(frame.right, "end", count(far)),
      element("text", { class: "quiet", x: frame.left, y: frame.top + 4 }, `distance, up to ${Number(most.toPrecision(3))}`));
  };
  return (event) => {
    if (!Number.isFinite(event.distance)) return;
    if (!lines.has(event.member)) lines.set(event.member, []);
    lines.get(event.member).push([event.update, event.distance]);
    far = Math.max(far, event.update);
    most = Math.max(most, event.distance);
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
};

/* ---- the state ---- */

const doing = (status) => {
  const { progress } = status;
  const before = status.queue - 1;
  switch (status.state) {
    case "queued":
      return before > 0 ? `Waiting for ${plural(before, "run", "runs")} before this one.` : "Waiting to start.";
    case "reading":
      return "Reading the table.";
    case "fitting":
      return progress?.members > 1
        ? `${count(progress.members_done)} of ${count(progress.members)} small networks have learned what is usual.` : "Learning what is usual.";
    case "scoring":
      return progress?.rows ? `Scoring: ${count(progress.rows_done)} of ${plural(progress.rows, "row", "rows")}.` : "Scoring the rows.";
    default:
      return "Finding the reasons of the most unusual rows.";
  }
};

/* The part of the bar that each state fills: their shares of the time, roughly. */
const spans = { reading: [0, 0.05], fitting: [0.05, 0.75], scoring: [0.75, 0.9], explaining: [0.9, 1] };

export const showWatch = async (status, context) => {
  context.arrived();
  showState("watch", `Learning: ${status.name}`);
  byId("watch-h").replaceChildren(status.parent ? "Learning from what you know about " : "Learning what is usual in ", own(status.name));
  const losses = makeLosses(byId("losses")), distance = makeDistance(byId("distance"));
  let spoken = "", ended = false, filled = 0;

  const display = (now) => {
    const line = doing(now), left = now.progress?.seconds_left;
    byId("watch-line").textContent = line;
    const [begin, end] = spans[now.state] ?? [0, 0];
    filled = Math.max(filled, begin + (end - begin) * (now.progress?.fraction ?? 0));
    if (filled > 0) byId("watch-bar").value = filled;
    byId("watch-left").textContent = left > 0 ? `about ${duration(left)} left` : now.seconds >= 1 ? `${duration(now.seconds)} so far` : "";
    /* Screen readers hear of a new state, and of each network. */
    if (line !== spoken && now.state !== "scoring") announce(line);
    spoken = line;
  };
  display(status);

  byId("stop").addEventListener("click", async () => {
    byId("stop").disabled = true;
    byId("stop").textContent = "Stopping\u2026";
    try {
      await remove(`/v1/jobs/${status.job}`);
    } catch (error) {
      byId("stop").disabled = false;
      byId("stop").textContent = "Stop";
      context.fail(error);
    }
  });

  const take = (name, data) => {
    if (context.signal.aborted) return;
    if (name === "status") display(data);
    else if (name === "end") ended = true;
    else {
      byId("watch-figures").hidden = false;
      (name === "losses" ? losses : distance)(data);
    }
  };
  /* The events may end early, such as with a proxy in between: then the status says how it goes on. */
  while (!ended && !context.signal.aborted) {
    await events(status.job, take, context.signal);
    if (ended) break;
    const now = await get(`/v1/jobs/${status.job}`, context.signal);
    if (["done", "failed", "cancelled"].includes(now.state)) break;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  if (!context.signal.aborted) await context.again();
};

/* A run, or something else, that has nothing to show. */
export const showEnded = (heading, name, problem, text, ...actions) => {
  showState("ended", heading);
  byId("ended-h").textContent = heading;
  byId("ended-name").textContent = name;
  byId("ended-name").closest("p").hidden = !name;
  byId("ended-text").textContent = text;
  showProblem(problem);
  byId("ended-actions").append(...actions, make("a", { href: "/", className: "button", textContent: "Choose a file" }));
};
