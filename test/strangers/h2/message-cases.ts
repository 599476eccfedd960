import { hostname } from "../fronts.ts";
import {
  connectionError,
  data,
  endHeaders,
  fields,
  malformed,
  post,
  requestFields,
  section,
  served,
  whole,
} from "./case.ts";
import { block, type Field, frame, types, u32 } from "./frames.ts";

const without = (name: string) => requestFields().filter(([one]) => one !== name);
const changed = (name: string, value: string) =>
  requestFields().map(([one, old]): Field => [one, one === name ? value : old]);

/** RFC 9113 section 8: HTTP in HTTP/2. */
export const messageCases = [
  ...section("8.1", [
    [
      "a second HEADERS without the end of the stream",
      [post(), frame(types.headers, endHeaders, 1, block([["x-t", "1"]]))],
      malformed,
    ],
    [
      "trailers",
      [post(), data("hello", 0), frame(types.headers, whole, 1, block([["x-t", "1"]]))],
      served,
    ],
    [
      "trailers with a pseudo field",
      [post(), data("hello", 0), frame(types.headers, whole, 1, block([[":path", "/x"]]))],
      malformed,
    ],
  ]),
  ...section("8.2", [
    ["a field name in upper case", [fields(requestFields("GET", [["X-TEST", "a"]]))], malformed],
    ["a field name with a blank", [fields(requestFields("GET", [["x test", "a"]]))], malformed],
    ["an empty field name", [fields(requestFields("GET", [["", "a"]]))], malformed],
    [
      "a field value with a line end",
      [fields(requestFields("GET", [["x-a", "b\r\nc: d"]]))],
      malformed,
    ],
    ["a field value with NUL", [fields(requestFields("GET", [["x-a", "b\0"]]))], malformed],
    [
      "a field value that begins with a blank",
      [fields(requestFields("GET", [["x-a", " b"]]))],
      [...malformed, ...served],
    ],
  ]),
  ...section("8.2.2", [
    ["connection", [fields(requestFields("GET", [["connection", "keep-alive"]]))], malformed],
    [
      "transfer-encoding",
      [fields(requestFields("POST", [["transfer-encoding", "chunked"]]))],
      malformed,
    ],
    ["upgrade", [fields(requestFields("GET", [["upgrade", "h2c"]]))], malformed],
    [
      "TE with another value than trailers",
      [fields(requestFields("GET", [["te", "trailers, deflate;q=0.5"]]))],
      malformed,
    ],
    ["TE: trailers", [fields(requestFields("GET", [["te", "trailers"]]))], served],
  ]),
  ...section("8.3", [
    ["an unknown pseudo field", [fields([...requestFields(), [":test", "a"]])], malformed],
    [":status in a request", [fields([...requestFields(), [":status", "200"]])], malformed],
    ["a pseudo field after a field", [fields([["x-a", "b"], ...requestFields()])], malformed],
    ["an empty :path", [fields(changed(":path", ""))], malformed],
    ["no :method", [fields(without(":method"))], malformed],
    ["no :scheme", [fields(without(":scheme"))], malformed],
    ["no :path", [fields(without(":path"))], malformed],
    ["two of :method", [fields([[":method", "GET"], ...requestFields()])], malformed],
    ["two of :scheme", [fields([[":scheme", "https"], ...requestFields()])], malformed],
    ["two of :path", [fields([[":path", "/length"], ...requestFields()])], malformed],
    [
      ":authority and another host",
      [fields(requestFields("GET", [["host", "other.example"]]))],
      malformed,
    ],
  ]),
  ...section("8.1.1", [
    ["content-length above the DATA", [post(1, [["content-length", "9"]]), data()], malformed],
    ["content-length below the DATA", [post(1, [["content-length", "1"]]), data()], malformed],
    [
      "content-length above the sum of several DATA",
      [post(1, [["content-length", "9"]]), data("he", 0), data("llo")],
      malformed,
    ],
    [
      "content-length that is no number",
      [post(1, [["content-length", "five"]]), data()],
      malformed,
    ],
  ]),
  ...section("8.4", [
    [
      "PUSH_PROMISE of a client",
      [frame(types.push, endHeaders, 1, Buffer.concat([u32(2), block(requestFields())]))],
      connectionError,
    ],
  ]),
];

const pseudoIndexed = [0x82, 0x87, 0x84, 0x01, hostname.length, ...Buffer.from(hostname)];

/** RFC 7541. */
export const compressionCases = [
  ...section("HPACK 2.3.3", [
    [
      "an index beyond the tables",
      [frame(types.headers, whole, 1, [...pseudoIndexed, 0xc6])],
      connectionError,
    ],
    [
      "a literal whose name is beyond the tables",
      [frame(types.headers, whole, 1, [...pseudoIndexed, 0x7f, 0x10, 0x01, 0x61])],
      connectionError,
    ],
  ]),
  ...section("HPACK 4.2", [
    [
      "a change of the table's size at the end of a block",
      [frame(types.headers, whole, 1, [...pseudoIndexed, 0x20])],
      connectionError,
    ],
  ]),
  ...section("HPACK 5.2", [
    [
      "Huffman padding of more than 7 bits",
      [
        frame(types.headers, whole, 1, [
          ...pseudoIndexed,
          0x00,
          0x01,
          0x78,
          0x83,
          0xf9,
          0xff,
          0xff,
        ]),
      ],
      connectionError,
    ],
    [
      "Huffman padding that is no EOS",
      [frame(types.headers, whole, 1, [...pseudoIndexed, 0x00, 0x01, 0x78, 0x81, 0x00])],
      connectionError,
    ],
    [
      "Huffman text with EOS",
      [
        frame(types.headers, whole, 1, [
          ...pseudoIndexed,
          0x00,
          0x01,
          0x78,
          0x84,
          0xff,
          0xff,
          0xff,
          0xff,
        ]),
      ],
      connectionError,
    ],
  ]),
  ...section("HPACK 6.1", [
    ["index 0", [frame(types.headers, whole, 1, [...pseudoIndexed, 0x80])], connectionError],
  ]),
  ...section("HPACK 6.3", [
    [
      "a table's size above the limit",
      [frame(types.headers, whole, 1, [0x3f, 0xe1, 0xff, 0x03, ...pseudoIndexed])],
      connectionError,
    ],
  ]),
];
