package dev.superstep.model.local;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The part of a GGUF file's header that Superstep needs before it loads the file. Immutable.
///
/// @param chatTemplate empty for base models
/// @param trainedContext 0 if the file does not say
/// @param addsBos whether the tokenizer puts a token before each prompt
/// @param control the texts of the control tokens
record GgufHeader(
    String name, String chatTemplate, int trainedContext, boolean addsBos, Set<String> control) {
  static final int MAGIC = 0x46554747; // "GGUF", read as little-endian

  private static final int TYPE_CONTROL = 3;
  private static final int TEXT_BYTES_MAX = 1 << 20;
  private static final int ITEMS_MAX = 1 << 22;

  GgufHeader {
    control = Set.copyOf(control);
  }

  static boolean isGguf(Path file) throws IOException {
    try (var in = new DataInputStream(Files.newInputStream(file))) {
      return Integer.reverseBytes(in.readInt()) == MAGIC;
    } catch (EOFException _) {
      return false;
    }
  }

  static GgufHeader read(Path file) throws IOException {
    var stream = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try (var in = new DataInputStream(stream)) {
      return new Reader(in).header();
    } catch (EOFException e) {
      throw new IOException("the GGUF header breaks off", e);
    }
  }

  /// A reader of the key-value section. For one thread.
  private static final class Reader {
    private final DataInputStream in;
    private String name = "";
    private String template = "";
    private int context;
    private boolean bos = true;
    private List<String> tokens = List.of();
    private List<Integer> types = List.of();

    Reader(DataInputStream in) {
      this.in = in;
    }

    GgufHeader header() throws IOException {
      if (int32() != MAGIC) throw new IOException("not a GGUF file");
      int version = int32();
      if (version < 2 || version > 3) throw new IOException("GGUF version " + version);
      int64(); // the number of tensors
      long pairs = int64();
      if (pairs < 0 || pairs > ITEMS_MAX) throw new IOException("the GGUF header is damaged");
      for (long i = 0; i < pairs; i++) pair();
      return new GgufHeader(name, template, context, bos, control());
    }

    private void pair() throws IOException {
      var key = text();
      int type = int32();
      switch (key) {
        case "general.name" -> name = String.valueOf(value(type));
        case "tokenizer.chat_template" -> template = String.valueOf(value(type));
        case "tokenizer.ggml.add_bos_token" -> bos = value(type) instanceof Integer i && i != 0;
        case "tokenizer.ggml.tokens" -> tokens = list(String.class);
        case "tokenizer.ggml.token_type" -> types = list(Integer.class);
        default -> {
          var value = value(type);
          if (key.endsWith(".context_length") && value instanceof Integer i) context = i;
        }
      }
    }

    private <T> List<T> list(Class<T> element) throws IOException {
      int type = int32();
      int size = size(int64(), ITEMS_MAX);
      var items = new ArrayList<T>(size);
      for (int i = 0; i < size; i++) {
        var item = value(type);
        if (!element.isInstance(item)) throw new IOException("the GGUF header is damaged");
        items.add(element.cast(item));
      }
      return items;
    }

    private Object value(int type) throws IOException {
      return switch (type) {
        case 0, 1, 7 -> in.readUnsignedByte();
        case 2, 3 -> Short.toUnsignedInt(Short.reverseBytes(in.readShort()));
        case 4, 5 -> int32();
        case 6 -> Float.intBitsToFloat(int32());
        case 8 -> text();
        case 9 -> list(Object.class);
        case 10, 11 -> int64();
        case 12 -> Double.longBitsToDouble(int64());
        default -> throw new IOException("the GGUF header has a value of type " + type);
      };
    }

    private String text() throws IOException {
      return new String(in.readNBytes(size(int64(), TEXT_BYTES_MAX)), StandardCharsets.UTF_8);
    }

    private static int size(long size, int max) throws IOException {
      if (size < 0 || size > max) throw new IOException("the GGUF header is damaged");
      return (int) size;
    }

    private int int32() throws IOException {
      return Integer.reverseBytes(in.readInt());
    }

    private long int64() throws IOException {
      return Long.reverseBytes(in.readLong());
    }

    private Set<String> control() {
      var control = new HashSet<String>();
      for (int i = 0; i < Math.min(tokens.size(), types.size()); i++) {
        if (types.get(i) == TYPE_CONTROL && !tokens.get(i).isEmpty()) control.add(tokens.get(i));
      }
      return control;
    }
  }
}
