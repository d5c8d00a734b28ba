package dev.superstep.model.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Writes a random model of the llama architecture that the real loader, sampler and grammar run:
/// two layers, 64 dimensions, a vocabulary of bytes. It says nothing sensible, but always the same.
final class TinyGguf {
  private static final int WIDTH = 64;
  private static final int LAYERS = 2;
  private static final int HEADS = 4;
  private static final int FEED = 128;
  private static final int ALIGNMENT = 32;
  private static final int UINT32 = 4;
  private static final int INT32 = 5;
  private static final int FLOAT32 = 6;
  private static final int TEXT = 8;

  private final ByteArrayOutputStream header = new ByteArrayOutputStream();
  private final ByteArrayOutputStream infos = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private final Random random = new Random(42);
  private final List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
  private int pairs;
  private int tensors;

  private TinyGguf() {}

  /// A base model, if the chat template is empty.
  static Path write(Path file, String chatTemplate) throws IOException {
    return new TinyGguf().build(file, chatTemplate);
  }

  private Path build(Path file, String chatTemplate) throws IOException {
    text("general.architecture", "llama");
    text("general.name", "tiny");
    uint("llama.context_length", 8192);
    uint("llama.embedding_length", WIDTH);
    uint("llama.block_count", LAYERS);
    uint("llama.feed_forward_length", FEED);
    uint("llama.attention.head_count", HEADS);
    uint("llama.attention.head_count_kv", HEADS);
    uint("llama.rope.dimension_count", WIDTH / HEADS);
    key("llama.attention.layer_norm_rms_epsilon", FLOAT32);
    header.writeBytes(little(4).putFloat(1e-5f).array());
    if (!chatTemplate.isEmpty()) text("tokenizer.chat_template", chatTemplate);
    vocabulary();
    weights();
    var all = new ByteArrayOutputStream();
    all.writeBytes(
        little(24).putInt(GgufHeader.MAGIC).putInt(3).putLong(tensors).putLong(pairs).array());
    header.writeTo(all);
    infos.writeTo(all);
    pad(all);
    data.writeTo(all);
    return Files.write(file, all.toByteArray());
  }

  private void vocabulary() {
    for (int b = 0; b < 256; b++) tokens.add("<0x%02X>".formatted(b));
    for (var c = 'a'; c <= 'z'; c++) tokens.add(String.valueOf(c));
    tokens.add("▁");
    tokens.add("<start_of_turn>");
    tokens.add("<end_of_turn>");
    text("tokenizer.ggml.model", "llama");
    uint("tokenizer.ggml.bos_token_id", 1);
    uint("tokenizer.ggml.eos_token_id", 2);
    uint("tokenizer.ggml.unknown_token_id", 0);
    array("tokenizer.ggml.tokens", TEXT);
    for (var token : tokens) header.writeBytes(sized(token));
    array("tokenizer.ggml.scores", FLOAT32);
    for (int i = 0; i < tokens.size(); i++) header.writeBytes(little(4).putFloat(-i).array());
    array("tokenizer.ggml.token_type", INT32);
    for (var token : tokens) header.writeBytes(little(4).putInt(type(token)).array());
  }

  private static int type(String token) {
    if (token.equals("<unk>")) return 2;
    if (token.startsWith("<0x")) return 6;
    return token.startsWith("<") ? 3 : 1;
  }

  private void weights() {
    tensor("token_embd.weight", 1, WIDTH, tokens.size());
    tensor("output_norm.weight", 0, WIDTH, 1);
    for (int i = 0; i < LAYERS; i++) {
      var layer = "blk." + i + ".";
      tensor(layer + "attn_norm.weight", 0, WIDTH, 1);
      for (var part : List.of("attn_q", "attn_k", "attn_v", "attn_output")) {
        tensor(layer + part + ".weight", 1, WIDTH, WIDTH);
      }
      tensor(layer + "ffn_norm.weight", 0, WIDTH, 1);
      tensor(layer + "ffn_gate.weight", 1, WIDTH, FEED);
      tensor(layer + "ffn_up.weight", 1, WIDTH, FEED);
      tensor(layer + "ffn_down.weight", 1, FEED, WIDTH);
    }
    output();
  }

  /// Only rows of letters get weights: left alone, the model writes letters and never ends.
  private void output() {
    var values = little(4 * WIDTH * tokens.size());
    for (var token : tokens) {
      boolean letter = token.length() == 1 && token.charAt(0) != '▁';
      for (int i = 0; i < WIDTH; i++) values.putFloat(letter ? gauss() : 0);
    }
    info("output.weight", WIDTH, tokens.size());
    data.writeBytes(values.array());
    pad(data);
  }

  private void tensor(String name, int spread, int columns, int rows) {
    var values = little(4 * columns * rows);
    while (values.hasRemaining()) values.putFloat(spread == 0 ? 1 : gauss() * 0.3f);
    info(name, columns, rows);
    data.writeBytes(values.array());
    pad(data);
  }

  private float gauss() {
    return (float) random.nextGaussian();
  }

  private void info(String name, int columns, int rows) {
    tensors++;
    infos.writeBytes(sized(name));
    infos.writeBytes(little(4).putInt(rows == 1 ? 1 : 2).array());
    infos.writeBytes(little(8).putLong(columns).array());
    if (rows > 1) infos.writeBytes(little(8).putLong(rows).array());
    infos.writeBytes(little(12).putInt(0).putLong(data.size()).array());
  }

  private void text(String key, String value) {
    key(key, TEXT);
    header.writeBytes(sized(value));
  }

  private void uint(String key, int value) {
    key(key, UINT32);
    header.writeBytes(little(4).putInt(value).array());
  }

  private void array(String key, int type) {
    key(key, 9);
    header.writeBytes(little(12).putInt(type).putLong(tokens.size()).array());
  }

  private void key(String key, int type) {
    pairs++;
    header.writeBytes(sized(key));
    header.writeBytes(little(4).putInt(type).array());
  }

  private static byte[] sized(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return little(8 + bytes.length).putLong(bytes.length).put(bytes).array();
  }

  private static void pad(ByteArrayOutputStream out) {
    while (out.size() % ALIGNMENT != 0) out.write(0);
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
