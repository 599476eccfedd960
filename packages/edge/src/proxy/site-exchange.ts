import type { Site } from "../hosts/site.ts";
import type { Exchange, ResponseHead } from "../http/exchange.ts";
import { type Fields, fieldValue } from "../http/fields.ts";
import { ExchangeWrapper } from "./exchange-wrapper.ts";
import { translateOriginLinks } from "./origin/links.ts";
import { Compressor } from "./response/compressor.ts";
import {
  type ContentCoding,
  chooseCoding,
  codedFields,
  isCompressible,
  notModifiedFields,
} from "./response/content-coding.ts";
import { type PageParts, referenceField, renderPage } from "./response/error-page.ts";
import { applyHeaderRules, withoutField } from "./response/rules.ts";

/** Responses that are compressed at once, over all requests of the process. */
export interface CompressionSlots {
  readonly most: number;
  used: number;
}

/**
 * An exchange whose responses follow the settings of the application; the same where it has none.
 */
export function exchangeOfSite(
  exchange: Exchange,
  site: Site,
  compression: CompressionSlots,
): Exchange {
  const { edge, originHostHeader } = site.application;
  const hasSettings =
    edge.errorPage !== null ||
    edge.hsts !== null ||
    edge.headerRules.length > 0 ||
    edge.isCompressed ||
    originHostHeader === "origin";
  return hasSettings ? new SiteExchange(exchange, site, compression) : exchange;
}

const hstsField = "strict-transport-security";

class SiteExchange extends ExchangeWrapper {
  readonly #site: Site;
  readonly #compression: CompressionSlots;
  #compressor: Compressor | null = null;
  #trailers: Fields = [];

  constructor(exchange: Exchange, site: Site, compression: CompressionSlots) {
    super(exchange);
    this.#site = site;
    this.#compression = compression;
  }

  override respond(head: ResponseHead): void {
    if (this.hasResponded) return;
    // No origin can send this field: the page is the edge's own.
    const isOwnPage = fieldValue(head.fields, referenceField) !== null;
    if (isOwnPage) this.inner.respond({ ...head, fields: this.#withHsts(head.fields) });
    else this.#respondOfOrigin(head);
  }

  override write(chunk: Buffer): boolean {
    return this.#compressor === null ? this.inner.write(chunk) : this.#compressor.write(chunk);
  }

  override end(trailers: Fields): void {
    if (this.#compressor === null) {
      this.inner.end(trailers);
      return;
    }
    this.#trailers = trailers;
    this.#compressor.end();
  }

  override abort(code?: number): void {
    this.#stopCompression();
    this.inner.abort(code);
  }

  readonly errorPage = (parts: PageParts): string | null => {
    const { errorPage } = this.#site.application.edge;
    return errorPage === null ? null : renderPage(errorPage, parts, this.#site.host.hostname);
  };

  // Events of the wrapped exchange.

  override onDrain(): void {
    if (this.#compressor === null) this.events?.onDrain();
    else this.#compressor.resume();
  }

  override onClosed(rejection?: Pick<ResponseHead, "status" | "fields">): void {
    this.#stopCompression();
    this.events?.onClosed(rejection);
  }

  #respondOfOrigin(head: ResponseHead): void {
    const { edge } = this.#site.application;
    const ruled = applyHeaderRules(this.#translated(head.fields), edge.headerRules);
    const fields = this.#withHsts(ruled);
    if (edge.isCompressed) this.#respondCompressed({ ...head, fields });
    else this.inner.respond({ ...head, fields });
  }

  #respondCompressed(head: ResponseHead): void {
    if (head.status === 304) {
      this.inner.respond({ ...head, fields: notModifiedFields(head.fields) });
      return;
    }
    if (!isCompressible(head)) {
      this.inner.respond(head);
      return;
    }
    const accepted = chooseCoding(fieldValue(this.head.fields, "accept-encoding"));
    const { used, most } = this.#compression;
    const coding = used < most ? accepted : null;
    const fields = codedFields(head.fields, coding);
    // HEAD is answered with the fields of GET (RFC 9110 §9.3.2).
    this.inner.respond({ ...head, fields, length: coding === null ? head.length : null });
    if (coding !== null && head.hasBody) this.#compress(coding, head.fields);
  }

  #compress(coding: ContentCoding, fields: Fields): void {
    const type = fieldValue(fields, "content-type") ?? "";
    const isEventStream = type.toLowerCase().startsWith("text/event-stream");
    this.#compression.used += 1;
    this.#compressor = new Compressor(coding, isEventStream, {
      write: (chunk) => this.inner.write(chunk),
      onDrain: () => this.events?.onDrain(),
      end: () => {
        this.#stopCompression();
        this.inner.end(this.#trailers);
      },
      onFail: () => this.abort(),
    });
  }

  #stopCompression(): void {
    if (this.#compressor === null) return;
    this.#compression.used -= 1;
    this.#compressor.destroy();
    this.#compressor = null;
  }

  #translated(fields: Fields): Fields {
    const { origins, originHostHeader } = this.#site.application;
    if (originHostHeader !== "origin" || origins.length === 0) return fields;
    const { authority } = this.head;
    return translateOriginLinks(fields, { originUrls: origins.map(({ url }) => url), authority });
  }

  /** The application's promise takes the place of the origin's. */
  #withHsts(fields: Fields): Fields {
    const { hsts } = this.#site.application.edge;
    return hsts === null ? fields : [...withoutField(fields, hstsField), hstsField, hsts];
  }
}
