package dev.superstep.documents;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Decodes bytes as text: by their byte order mark, else as UTF-8. Line ends become `\n`.
final class Decoding {
  private static final byte EF = (byte) 0xEF;
  private static final byte FE = (byte) 0xFE;
  private static final byte FF = (byte) 0xFF;

  private Decoding() {}

  static String text(SourceDocument document, DocumentLimits limits) {
    var bytes = document.read(limits.maxBytes());
    try {
      var text = decode(bytes);
      if (text.indexOf('\0') >= 0) {
        throw new UnreadableDocument(document.id(), "is no text: it has zero bytes", null);
      }
      if (text.length() > limits.maxCharacters()) {
        throw new DocumentTooLarge(document.id(), "characters of text", limits.maxCharacters());
      }
      return text.replace("\r\n", "\n").replace('\r', '\n');
    } catch (CharacterCodingException e) {
      throw new UnreadableDocument(document.id(), "is no text in UTF-8 or UTF-16", e);
    }
  }

  static boolean hasExtension(SourceDocument document, Set<String> extensions) {
    return extensions.contains(document.extension());
  }

  private static String decode(byte[] bytes) throws CharacterCodingException {
    if (starts(bytes, EF, (byte) 0xBB, (byte) 0xBF))
      return decode(bytes, 3, StandardCharsets.UTF_8);
    if (starts(bytes, FE, FF)) return decode(bytes, 2, StandardCharsets.UTF_16BE);
    if (starts(bytes, FF, FE)) return decode(bytes, 2, StandardCharsets.UTF_16LE);
    return decode(bytes, 0, StandardCharsets.UTF_8);
  }

  private static String decode(byte[] bytes, int from, Charset charset)
      throws CharacterCodingException {
    // A new decoder reports malformed input instead of replacing it.
    var rest = ByteBuffer.wrap(bytes, from, bytes.length - from);
    return charset.newDecoder().decode(rest).toString();
  }

  private static boolean starts(byte[] bytes, byte... mark) {
    if (bytes.length < mark.length) return false;
    for (int i = 0; i < mark.length; i++) if (bytes[i] != mark[i]) return false;
    return true;
  }
}
