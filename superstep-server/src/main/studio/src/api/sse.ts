/** An event of a stream of server-sent events. */
export interface Frame {
  id: string;
  event: string;
  data: string;
}

/**
 * Cuts a stream of server-sent events into events, whatever the pieces in which it arrives. Only CR, LF and CRLF
 * end a line.
 */
export class FrameParser {
  private rest = "";
  private id = "";
  private event = "";
  private data: string[] = [];

  push(text: string): Frame[] {
    const frames: Frame[] = [];
    this.rest += text;
    for (;;) {
      const end = this.rest.search(/[\r\n]/);
      if (end < 0) return frames;
      // What follows a CR may still be on its way.
      if (this.rest[end] === "\r" && end === this.rest.length - 1) return frames;
      const width = this.rest.startsWith("\r\n", end) ? 2 : 1;
      this.line(this.rest.slice(0, end), frames);
      this.rest = this.rest.slice(end + width);
    }
  }

  private line(line: string, frames: Frame[]): void {
    if (line === "") {
      if (this.data.length > 0) frames.push({ id: this.id, event: this.event, data: this.data.join("\n") });
      this.event = "";
      this.data = [];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") this.id = value;
    else if (field === "event") this.event = value;
    else if (field === "data") this.data.push(value);
  }
}
