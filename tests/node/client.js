// A visit to an arena, from submitting a bot to a tournament's ranking.  Prints what it saw as one
// JSON document.  The token, an organiser's, is in the variable ARENA_TOKEN.
//
//     node client.js ADDRESS PROTOS ARCHIVE TOURNAMENT OTHER...
//
// PROTOS is the folder that holds arenabot/v1/arena.proto, ARCHIVE a bot that plays Claims, TOURNAMENT
// the name for a new tournament, and each OTHER the name of a bot that the arena has.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { createHash } = require("node:crypto");
const { load, requestId, Refused } = require("./arena.js");

const PIECE = 64 * 1024;
const PAGE = 3;
const ZSTD_MAGIC = "28b52ffd";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function main([address, protos, archive, tournament, ...others]) {
  const connect = load(protos);
  const arena = connect(address, process.env.ARENA_TOKEN);
  const spectator = connect(address);
  try {
    const status = (await arena.AdminService.GetStatus({})).status;
    const { author } = await arena.AdminService.WhoAmI({});
    const submission = await submit(arena, archive);
    const bots = [submission.bot, ...others];
    const made = await create(arena, tournament, bots);
    const watched = await play(arena, tournament);
    const matches = await allMatches(arena, tournament);
    const replay = await download(arena, tournament, matches.list[0].id);
    const ranking = await arena.RankingService.GetRanking({ tournament });
    const refused = await forbidden(arena, spectator, tournament);
    return { status, author, submission, made, watched, matches, replay, ranking, refused };
  } finally {
    arena.close();
    spectator.close();
  }
}

// The header, then the archive in pieces.
function* upload(file, request_id) {
  const bytes = fs.readFileSync(file);
  const header = { request_id, sha256: sha256(bytes), size: bytes.length };
  yield { header: { ...header, filename: path.basename(file) } };
  for (let at = 0; at < bytes.length; at += PIECE) yield { data: bytes.subarray(at, at + PIECE) };
}

// Hands a bot in, as if the first answer had been lost, and waits until it is ready.
async function submit(arena, file) {
  const id = requestId();
  const first = (await arena.BotService.SubmitBot(upload(file, id))).submission;
  const again = (await arena.BotService.SubmitBot(upload(file, id))).submission;
  const states = [];
  let last = first;
  for await (const { submission } of arena.BotService.WatchSubmission({ id: first.id })) {
    last = submission;
    states.push(submission.state);
  }
  if (last.state !== "SUBMISSION_STATE_READY") throw new Error(`not ready: ${last.reason}`);
  return { ...last, states, again: again.id };
}

async function create(arena, name, bots) {
  const options = { fields: { target: { numberValue: 150 }, max_rounds: { numberValue: 2 } } };
  const wanted = { name, game: "claims", options, blocks: 2, bots };
  const answer = await arena.TournamentService.CreateTournament({
    request_id: requestId(),
    ...wanted,
  });
  return answer.tournament;
}

// Has a tournament played while watching it to its end.
async function play(arena, name) {
  const seen = { messages: 0, states: [], ended: [] };
  const asked = { request_id: requestId(), tournament: name };
  await arena.TournamentService.RunTournament(asked);
  for await (const { progress, ended } of arena.TournamentService.WatchTournament({ name })) {
    seen.messages += 1;
    if (seen.states.at(-1) !== progress.state) seen.states.push(progress.state);
    seen.ended.push(...ended.map((match) => match.id));
    seen.last = progress;
  }
  return seen;
}

async function allMatches(arena, tournament) {
  const list = [];
  let pages = 0;
  let page_token = "";
  do {
    const asked = { tournament, page_size: PAGE, page_token };
    const page = await arena.TournamentService.ListMatches(asked);
    list.push(...page.matches);
    page_token = page.next_page_token;
    pages += 1;
  } while (page_token);
  return { pages, list };
}

// A replay, which the arena then verifies as one that was sent to it.
async function download(arena, tournament, match_id) {
  const pieces = [];
  for await (const { data } of arena.ReplayService.GetReplay({ tournament, match_id })) {
    pieces.push(data);
  }
  const bytes = Buffer.concat(pieces);
  const magic = bytes.subarray(0, 4).toString("hex");
  if (magic !== ZSTD_MAGIC) throw new Error(`no zstd: it begins with ${magic}`);
  const verified = await arena.ReplayService.VerifyReplay(pieces.map((data) => ({ data })));
  return { match: match_id, magic, size: bytes.length, sha256: sha256(bytes), verified };
}

// What an organiser, or somebody without a token, is not to do, and what the arena says to it.
async function forbidden(arena, spectator, tournament) {
  const attempts = {
    "an organiser adds an author": () =>
      arena.AdminService.CreateAuthor({
        request_id: requestId(),
        name: "friend",
        role: "ROLE_ADMIN",
      }),
    "a spectator cancels a tournament": () =>
      spectator.TournamentService.CancelTournament({ request_id: requestId(), tournament }),
    "a tournament that is not there": () =>
      arena.TournamentService.GetTournament({ name: "nowhere" }),
    "a tournament that is over is cancelled": () =>
      arena.TournamentService.CancelTournament({ request_id: requestId(), tournament }),
    "a submission without its bytes": () =>
      arena.BotService.SubmitBot([
        { header: { sha256: sha256(""), size: 10, filename: "a.zip" } },
      ]),
  };
  const refused = {};
  for (const [what, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      refused[what] = null;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, reason, domain, message } = error;
      refused[what] = { status, reason, domain, message };
    }
  }
  return refused;
}

main(process.argv.slice(2)).then(
  (seen) => console.log(JSON.stringify(seen)),
  (error) => {
    const { status, reason, message } = error;
    console.error(status ? `${status} ${reason}: ${message}` : error);
    process.exitCode = 1;
  },
);
