import {
  connectionError,
  continues,
  data,
  endHeaders,
  endStream,
  get,
  post,
  requestFields,
  section,
  served,
  streamError,
  whole,
} from "./case.ts";
import { block, flags, frame, preface, types, u32 } from "./frames.ts";

/** RFC 9113 sections 3 to 5: the start of a connection, framing, and the states of streams. */
const openingCases = [
  ...section("3.4", [
    [
      "a connection preface that is none",
      [Buffer.from("INVALID CONNECTION PREFACE\r\n\r\n")],
      connectionError,
      { isBare: true },
    ],
    [
      "no SETTINGS after the preface",
      [preface, frame(types.ping, 0, 0, "12345678")],
      connectionError,
      { isBare: true },
    ],
  ]),
  ...section("4.1", [
    ["a frame of an unknown type", [frame(0xfe, 0, 0, "12345678")], continues],
    ["undefined flags", [frame(types.ping, 0x16, 0, "abcdefgh")], continues],
    ["the reserved bit of a stream", [frame(types.ping, 0, 0x80000000, "abcdefgh")], continues],
  ]),
  ...section("4.2", [
    ["DATA of 16,384 octets", [post(), data("x".repeat(16_384))], served],
    ["DATA of 16,385 octets", [post(), data("x".repeat(16_385))], streamError],
    [
      "HEADERS of more than 16,384 octets",
      [get(1, [["x-long", "x".repeat(16_400)]])],
      connectionError,
    ],
  ]),
  ...section("4.3", [
    [
      "a field block that HPACK cannot decode",
      [frame(types.headers, whole, 1, [0x40, 0x01])],
      connectionError,
    ],
    [
      "PRIORITY within a field block",
      [
        frame(types.headers, endStream, 1, block(requestFields())),
        frame(types.priority, 0, 1, [0, 0, 0, 0, 255]),
      ],
      connectionError,
    ],
    [
      "HEADERS of another stream within a field block",
      [frame(types.headers, endStream, 1, block(requestFields())), get(3)],
      connectionError,
    ],
  ]),
];

const headersThenReset = [post(), frame(types.reset, 0, 1, u32(8))];

const streamCases = [
  ...section("5.1", [
    ["idle: DATA", [data()], connectionError],
    ["idle: RST_STREAM", [frame(types.reset, 0, 1, u32(8))], connectionError],
    ["idle: WINDOW_UPDATE", [frame(types.window, 0, 1, u32(100))], connectionError],
    [
      "idle: CONTINUATION",
      [frame(types.continuation, endHeaders, 1, block(requestFields()))],
      connectionError,
    ],
    ["half closed: DATA", [get(), data()], [...streamError, ...served]],
    ["half closed: HEADERS", [get(), get()], [...streamError, ...served]],
    [
      "half closed: CONTINUATION",
      [get(), frame(types.continuation, endHeaders, 1, block([["x", "y"]]))],
      connectionError,
    ],
    ["closed by RST_STREAM: DATA", [...headersThenReset, data()], [...streamError, ...continues]],
    ["closed by RST_STREAM: HEADERS", [...headersThenReset, get()], [...streamError, ...continues]],
    [
      "closed by RST_STREAM: CONTINUATION",
      [...headersThenReset, frame(types.continuation, endHeaders, 1, block([["x", "y"]]))],
      connectionError,
    ],
    ["closed: DATA", [get()], [...streamError, ...continues], { after: [data()] }],
    ["closed: HEADERS", [get()], connectionError, { after: [get()] }],
    [
      "closed: CONTINUATION",
      [get()],
      connectionError,
      { after: [frame(types.continuation, endHeaders, 1, block([["x", "y"]]))] },
    ],
    ["closed: WINDOW_UPDATE", [get()], continues, { after: [frame(types.window, 0, 1, u32(100))] }],
    ["closed: RST_STREAM", [get()], continues, { after: [frame(types.reset, 0, 1, u32(8))] }],
    [
      "closed: PRIORITY",
      [get()],
      continues,
      { after: [frame(types.priority, 0, 1, [0, 0, 0, 0, 255])] },
    ],
  ]),
  ...section("5.1.1", [
    ["a stream with an even number", [get(2)], connectionError],
    ["a stream with a lower number than before", [get(5), get(3)], connectionError],
  ]),
  ...section("5.3.1", [
    [
      "HEADERS that depend on themselves",
      [
        frame(
          types.headers,
          whole | flags.priority,
          1,
          Buffer.concat([Buffer.from([0, 0, 0, 1, 255]), block(requestFields())]),
        ),
      ],
      [...streamError, ...served],
    ],
    [
      "PRIORITY that depends on itself",
      [frame(types.priority, 0, 1, [0, 0, 0, 1, 255])],
      [...streamError, ...continues],
    ],
  ]),
  ...section("5.5", [
    [
      "an unknown frame within a field block",
      [frame(types.headers, endStream, 1, block(requestFields())), frame(0xfe, 0, 0, "12345678")],
      connectionError,
    ],
  ]),
];

export const connectionCases = [...openingCases, ...streamCases];
