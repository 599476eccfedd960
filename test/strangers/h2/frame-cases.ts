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
import { block, flags, frame, settings, types, u32 } from "./frames.ts";

/** RFC 9113 sections 6 and 7: each type of frame. */
export const frameCases = [
  ...section("6.1", [
    ["DATA on stream 0", [data("hello", endStream, 0)], connectionError],
    [
      "DATA with more padding than payload",
      [post(), frame(types.data, endStream | flags.padded, 1, [6, 1, 2, 3, 4])],
      connectionError,
    ],
    [
      "DATA with padding",
      [post(), frame(types.data, endStream | flags.padded, 1, [2, 104, 105, 0, 0])],
      served,
    ],
  ]),
  ...section("6.2", [
    [
      "HEADERS without their end, then DATA",
      [frame(types.headers, 0, 1, block(requestFields("POST"))), data()],
      connectionError,
    ],
    ["HEADERS on stream 0", [get(0)], connectionError],
    [
      "HEADERS with more padding than payload",
      [
        frame(
          types.headers,
          whole | flags.padded,
          1,
          Buffer.concat([Buffer.from([255]), block(requestFields())]),
        ),
      ],
      connectionError,
    ],
    [
      "HEADERS with priority",
      [
        frame(
          types.headers,
          whole | flags.priority,
          1,
          Buffer.concat([Buffer.from([0, 0, 0, 0, 10]), block(requestFields())]),
        ),
      ],
      served,
    ],
    [
      "HEADERS with padding",
      [
        frame(
          types.headers,
          whole | flags.padded,
          1,
          Buffer.concat([Buffer.from([1]), block(requestFields()), Buffer.from([0])]),
        ),
      ],
      served,
    ],
  ]),
  ...section("6.3", [
    ["PRIORITY on stream 0", [frame(types.priority, 0, 0, [0, 0, 0, 1, 255])], connectionError],
    ["PRIORITY of another length than 5", [frame(types.priority, 0, 1, [0, 0, 0, 1])], streamError],
  ]),
  ...section("6.4", [
    ["RST_STREAM on stream 0", [frame(types.reset, 0, 0, u32(8))], connectionError],
    [
      "RST_STREAM of another length than 4",
      [post(), frame(types.reset, 0, 1, [0, 0, 8])],
      connectionError,
    ],
  ]),
  ...section("6.5", [
    [
      "SETTINGS ACK with a payload",
      [frame(types.settings, flags.ack, 0, [0, 0, 0, 0, 0, 0])],
      connectionError,
    ],
    ["SETTINGS on a stream", [frame(types.settings, 0, 1, [0, 3, 0, 0, 0, 100])], connectionError],
    [
      "SETTINGS of a length that is no multiple of 6",
      [frame(types.settings, 0, 0, [0, 3, 0])],
      connectionError,
    ],
  ]),
  ...section("6.5.2", [
    ["ENABLE_PUSH of 2", [settings([2, 2])], connectionError],
    ["INITIAL_WINDOW_SIZE above the maximum", [settings([4, 0x80000000])], connectionError],
    ["MAX_FRAME_SIZE below 16,384", [settings([5, 16_383])], connectionError],
    ["MAX_FRAME_SIZE above the maximum", [settings([5, 0x1000000])], connectionError],
    ["an unknown setting", [settings([0xff, 1])], continues],
    ["HEADER_TABLE_SIZE twice", [settings([1, 100], [1, 0]), get()], served],
  ]),
  ...section("6.7", [
    ["PING on a stream", [frame(types.ping, 0, 1, "12345678")], connectionError],
    ["PING of another length than 8", [frame(types.ping, 0, 0, "123456")], connectionError],
    ["PING ACK", [frame(types.ping, flags.ack, 0, "12345678")], continues],
  ]),
  ...section("6.8", [
    ["GOAWAY on a stream", [frame(types.goaway, 0, 1, Buffer.alloc(8))], connectionError],
  ]),
  ...section("6.9", [
    ["WINDOW_UPDATE of 0 on the connection", [frame(types.window, 0, 0, u32(0))], connectionError],
    ["WINDOW_UPDATE of 0 on a stream", [post(), frame(types.window, 0, 1, u32(0))], streamError],
    [
      "WINDOW_UPDATE of another length than 4",
      [frame(types.window, 0, 0, [0, 0, 1])],
      connectionError,
    ],
  ]),
  ...section("6.9.1", [
    [
      "a window of the connection above the maximum",
      [frame(types.window, 0, 0, u32(0x7fffffff)), frame(types.window, 0, 0, u32(0x7fffffff))],
      connectionError,
    ],
    [
      "a window of a stream above the maximum",
      [
        post(),
        frame(types.window, 0, 1, u32(0x7fffffff)),
        frame(types.window, 0, 1, u32(0x7fffffff)),
      ],
      streamError,
    ],
  ]),
  ...section("6.9.2", [
    [
      "an initial window that makes one exceed the maximum",
      [post(), frame(types.window, 0, 1, u32(0x7fffff00)), settings([4, 0x7fffffff])],
      streamError,
    ],
  ]),
  ...section("6.10", [
    [
      "CONTINUATION that ends a field block",
      [
        frame(types.headers, endStream, 1, block(requestFields())),
        frame(types.continuation, endHeaders, 1, block([["x", "y"]])),
      ],
      served,
    ],
    [
      "CONTINUATION and then DATA instead of the end",
      [
        frame(types.headers, endStream, 1, block(requestFields())),
        frame(types.continuation, 0, 1, block([["x", "y"]])),
        data(),
      ],
      connectionError,
    ],
    [
      "CONTINUATION on stream 0",
      [
        frame(types.headers, endStream, 1, block(requestFields())),
        frame(types.continuation, endHeaders, 0, block([["x", "y"]])),
      ],
      connectionError,
    ],
    [
      "CONTINUATION after the end of a field block",
      [post(), frame(types.continuation, endHeaders, 1, block([["x", "y"]]))],
      connectionError,
    ],
    [
      "CONTINUATION after DATA",
      [post(), data("x", 0), frame(types.continuation, endHeaders, 1, block([["x", "y"]]))],
      connectionError,
    ],
  ]),
  ...section("7", [
    [
      "RST_STREAM with an unknown error code",
      [post(), frame(types.reset, 0, 1, u32(0xff))],
      continues,
    ],
  ]),
];
