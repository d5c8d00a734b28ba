package dev.superstep.documents.tika;

import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.DocumentTooLarge;
import dev.superstep.documents.ParserStopped;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.UnreadableDocument;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Set;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;

/// Parses the parts of a mail, in memory and within limits.
final class MailParts {
  private static final int PARTS_MAX = 2_000;
  private static final int NESTING_MAX = 20;
  private static final int HEADERS_MAX = 2_000;
  private static final int HEADER_BYTES_MAX = 200_000;
  private static final Set<String> OF_MAILS =
      Set.of("from", "to", "subject", "date", "message-id", "received", "mime-version");

  private MailParts() {}

  /// The mail with all its parts, decoded.
  ///
  /// @throws dev.superstep.documents.DocumentFailed if it is no mail, or exceeds a limit
  static Message read(SourceDocument document, DocumentLimits limits) throws InterruptedException {
    var bytes = document.read(limits.maxBytes());
    var id = document.id();
    var config =
        new MimeConfig.Builder()
            .setMaxLineLen(-1)
            .setMaxHeaderCount(HEADERS_MAX)
            .setMaxHeaderLen(HEADER_BYTES_MAX)
            .build();
    try {
      check(id, bytes, config, limits);
      var builder = new DefaultMessageBuilder();
      builder.setMimeEntityConfig(config);
      builder.setDecodeMonitor(DecodeMonitor.SILENT);
      return builder.parseMessage(new ByteArrayInputStream(bytes));
    } catch (IOException | MimeException | IllegalArgumentException e) {
      throw new UnreadableDocument(
          id, "cannot be parsed as a mail: " + e.getClass().getSimpleName(), e);
    } catch (StackOverflowError e) {
      throw new ParserStopped(id, "is nested too deeply for its parser");
    }
  }

  /// Looks at the parts once before they are built: each level of nesting costs a pass over what is
  /// in it.
  private static void check(String id, byte[] bytes, MimeConfig config, DocumentLimits limits)
      throws IOException, MimeException, InterruptedException {
    long end = System.nanoTime() + limits.maxTime().toNanos();
    var tokens = new MimeTokenStream(config, DecodeMonitor.SILENT, null);
    tokens.parse(new ByteArrayInputStream(bytes));
    boolean isMail = false;
    int depth = 0;
    int parts = 0;
    for (var at = tokens.getState(); at != EntityState.T_END_OF_STREAM; at = tokens.next()) {
      if (Thread.interrupted()) throw new InterruptedException("loading was cancelled");
      if (System.nanoTime() - end > 0) {
        var time = limits.maxTime().toMillis();
        throw new ParserStopped(id, "took longer than %,d ms".formatted(time));
      }
      switch (at) {
        case T_START_MULTIPART, T_START_MESSAGE -> {
          if (++depth > NESTING_MAX) throw new DocumentTooLarge(id, "levels of parts", NESTING_MAX);
        }
        case T_END_MULTIPART, T_END_MESSAGE -> depth--;
        case T_START_BODYPART -> {
          if (++parts > PARTS_MAX) throw new DocumentTooLarge(id, "parts", PARTS_MAX);
        }
        case T_FIELD -> isMail |= OF_MAILS.contains(tokens.getField().getNameLowerCase());
        default -> {}
      }
    }
    if (!isMail) throw new UnreadableDocument(id, "has no header of a mail", null);
  }
}
