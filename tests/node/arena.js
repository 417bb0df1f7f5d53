// The arena's services as objects of promises, made from its protos while the program runs.
"use strict";

const path = require("node:path");
const { randomUUID } = require("node:crypto");
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const SERVICES = [
  "BotService",
  "TournamentService",
  "RankingService",
  "ReplayService",
  "AdminService",
];
const CALL_SECONDS = 60;
const STREAM_SECONDS = 1200;
const LOADING = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };

// A call that the arena refused: `status` is gRPC's, `reason` the arena's, empty if it gave none.
class Refused extends Error {
  constructor(error, details) {
    super(error.details);
    this.status = grpc.status[error.code];
    Object.assign(this, { reason: "", domain: "", retrySeconds: null }, details);
  }
}

// Reads the arena's protos and our own of errors, and gives a function that connects.
function load(protos) {
  const definition = loader.loadSync("arenabot/v1/arena.proto", {
    ...LOADING,
    includeDirs: [protos],
  });
  const errors = loader.loadSync(path.join(__dirname, "status.proto"), LOADING);
  const api = grpc.loadPackageDefinition(definition).arenabot.v1;
  return (address, token) => connect(api, errors, address, token);
}

// Without a token one is a spectator.
function connect(api, errors, address, token) {
  const credentials = grpc.credentials.createInsecure();
  const metadata = new grpc.Metadata();
  if (token) metadata.set("authorization", `Bearer ${token}`);
  const clients = SERVICES.map((name) => new api[name](address, credentials));
  const arena = { close: () => clients.forEach((client) => client.close()) };
  SERVICES.forEach((name, at) => {
    const methods = Object.entries(api[name].service);
    arena[name] = Object.fromEntries(
      methods.map(([method, kind]) => [method, callable(clients[at], method, kind)]),
    );
  });
  return arena;

  // Unary calls take a request; client streams an iterable of them.  Both promise the answer.
  // Server streams give an async iterable of answers.
  function callable(client, method, kind) {
    const options = () => ({
      deadline: Date.now() + 1000 * (kind.responseStream ? STREAM_SECONDS : CALL_SECONDS),
    });
    if (kind.responseStream) {
      return async function* (request) {
        try {
          yield* client[method](request, metadata, options());
        } catch (error) {
          throw refusal(error);
        }
      };
    }
    return (request) =>
      new Promise((resolve, reject) => {
        const done = (error, answer) => (error ? reject(refusal(error)) : resolve(answer));
        if (!kind.requestStream) {
          client[method](request, metadata, options(), done);
          return;
        }
        const call = client[method](metadata, options(), done);
        write(call, request);
      });
  }

  function refusal(error) {
    const [bytes] = error.metadata?.get("grpc-status-details-bin") ?? [];
    if (!bytes) return error.code === undefined ? error : new Refused(error, {});
    const found = {};
    for (const { type_url, value } of errors["details.Status"].deserialize(bytes).details) {
      const kind = type_url.split("/").pop();
      if (kind === "google.rpc.ErrorInfo") {
        const { reason, domain } = errors["details.ErrorInfo"].deserialize(value);
        Object.assign(found, { reason, domain });
      } else if (kind === "google.rpc.RetryInfo") {
        const { seconds, nanos } = errors["details.RetryInfo"].deserialize(value).retry_delay;
        found.retrySeconds = seconds + nanos / 1e9;
      }
    }
    return new Refused(error, found);
  }
}

// Sends each message once there is room for it, until all are sent or the call is over.
async function write(call, messages) {
  let over = false;
  call.on("status", () => (over = true));
  for (const message of messages) {
    if (over) return;
    if (!call.write(message)) {
      await new Promise((resume) => {
        call.once("drain", resume);
        call.once("status", resume);
      });
    }
  }
  call.end();
}

// A request id: the same one again, and the arena does nothing more.
const requestId = () => randomUUID();

module.exports = { load, requestId, Refused };
