package dev.superstep.documents.tika;

import dev.superstep.documents.DocumentFailed;
import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.DocumentTooLarge;
import dev.superstep.documents.EncryptedDocument;
import dev.superstep.documents.Lines;
import dev.superstep.documents.ParserStopped;
import dev.superstep.documents.StructuredDocumentBuilder;
import dev.superstep.documents.UnreadableDocument;
import dev.superstep.documents.UnsupportedDocument;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The messages between a loader and the process of a parser: blocks, each by a letter and its
/// parts. The loader trusts none of them: it bounds what it reads.
final class Wire {
  /// Begins the messages of a process, so that one that did not start is told from one that failed.
  static final int MAGIC = 0x53_44_54_31;

  private static final int CELLS_MAX = 100_000;
  private static final int TEXT_MAX = 1_000;

  private Wire() {}

  /// Writes blocks as messages.
  record Writer(DataOutputStream out) implements BlockSink {
    @Override
    public void title(String text) {
      send('t', Optional.empty(), text);
    }

    @Override
    public void page(int number) {
      run(() -> {
        out.writeByte('g');
        out.writeInt(number);
      });
    }

    @Override
    public void heading(int level, String text, Optional<Lines> lines) {
      run(() -> {
        out.writeByte('h');
        out.writeInt(level);
      });
      part(lines, text);
    }

    @Override
    public void paragraph(String text, Optional<Lines> lines) {
      send('p', lines, text);
    }

    @Override
    public void items(String text, Optional<Lines> lines) {
      send('i', lines, text);
    }

    @Override
    public void code(String text, Optional<Lines> lines) {
      send('c', lines, text);
    }

    @Override
    public void table(List<StructuredDocumentBuilder.Row> rows, int headerRows) {
      run(() -> {
        out.writeByte('r');
        out.writeInt(headerRows);
        out.writeInt(rows.size());
        for (var row : rows) {
          writeLines(row.lines());
          out.writeInt(row.cells().size());
          for (var cell : row.cells()) writeText(cell);
        }
      });
    }

    void end() {
      run(() -> out.writeByte('e'));
    }

    void fail(DocumentFailed error) {
      run(() -> {
        switch (error) {
          case DocumentTooLarge large -> {
            out.writeByte('L');
            writeText(large.unit());
            out.writeLong(large.limit());
          }
          case EncryptedDocument _ -> out.writeByte('E');
          case ParserStopped stopped -> {
            out.writeByte('S');
            writeText(stopped.why());
          }
          case UnreadableDocument unreadable -> {
            out.writeByte('U');
            writeText(unreadable.why());
          }
          case UnsupportedDocument _ -> {
            out.writeByte('U');
            writeText("has a format that is not read");
          }
        }
      });
    }

    private void send(char kind, Optional<Lines> lines, String text) {
      run(() -> out.writeByte(kind));
      part(lines, text);
    }

    private void part(Optional<Lines> lines, String text) {
      run(() -> {
        writeLines(lines);
        writeText(text);
      });
    }

    private void writeLines(Optional<Lines> lines) throws IOException {
      out.writeInt(lines.map(Lines::first).orElse(0));
      out.writeInt(lines.map(Lines::last).orElse(0));
    }

    private void writeText(String text) throws IOException {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }

    @FunctionalInterface
    private interface Step {
      void run() throws IOException;
    }

    private static void run(Step step) {
      try {
        step.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// Reads messages as blocks.
  record Reader(String document, DocumentLimits limits, DataInputStream in) {
    /// Reads to the message that ends the document.
    ///
    /// @throws DocumentFailed if that is a failure, or the blocks exceed the limits
    /// @throws IOException if the messages end early or are none
    void readInto(BlockSink sink) throws IOException {
      while (true) {
        char kind = (char) in.readByte();
        switch (kind) {
          case 'e' -> {
            return;
          }
          case 'g' -> sink.page(Math.max(1, in.readInt()));
          case 't' -> {
            readLines();
            sink.title(readText());
          }
          case 'h' -> {
            int level = in.readInt();
            var lines = readLines();
            sink.heading(level, readText(), lines);
          }
          case 'p' -> {
            var lines = readLines();
            sink.paragraph(readText(), lines);
          }
          case 'i' -> {
            var lines = readLines();
            sink.items(readText(), lines);
          }
          case 'c' -> {
            var lines = readLines();
            sink.code(readText(), lines);
          }
          case 'r' -> readTable(sink);
          default -> throw failure(kind);
        }
      }
    }

    private void readTable(BlockSink sink) throws IOException {
      int header = in.readInt();
      int size = bounded(in.readInt(), limits.maxBlocks());
      var rows = new ArrayList<StructuredDocumentBuilder.Row>();
      for (int i = 0; i < size; i++) {
        var lines = readLines();
        int count = bounded(in.readInt(), CELLS_MAX);
        var cells = new ArrayList<String>();
        for (int cell = 0; cell < count; cell++) cells.add(readText());
        rows.add(new StructuredDocumentBuilder.Row(cells, lines));
      }
      sink.table(rows, Math.clamp(header, 0, size));
    }

    private RuntimeException failure(char kind) throws IOException {
      return switch (kind) {
        case 'L' -> new DocumentTooLarge(document, shortText(), in.readLong());
        case 'E' -> new EncryptedDocument(document);
        case 'S' -> new ParserStopped(document, shortText());
        case 'U' -> new UnreadableDocument(document, shortText(), null);
        default -> throw new IOException("no message begins with " + (int) kind);
      };
    }

    private String shortText() throws IOException {
      var text = readText();
      return text.substring(0, Math.min(text.length(), TEXT_MAX));
    }

    private Optional<Lines> readLines() throws IOException {
      int first = in.readInt();
      int last = in.readInt();
      return first < 1 || last < first ? Optional.empty() : Optional.of(new Lines(first, last));
    }

    private String readText() throws IOException {
      // A character has at most four bytes.
      long most = 4L * limits.maxCharacters() + TEXT_MAX;
      int length = bounded(in.readInt(), (int) Math.min(Integer.MAX_VALUE, most));
      var bytes = in.readNBytes(length);
      if (bytes.length < length) throw new IOException("the messages end early");
      return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int bounded(int value, int most) throws IOException {
      if (value < 0 || value > most) throw new IOException("a message has a part of " + value);
      return value;
    }
  }
}
