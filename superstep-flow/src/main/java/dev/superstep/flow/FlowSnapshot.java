package dev.superstep.flow;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/// A flow between two transitions, as readable JSON: its states, its pending waits, and the
/// finished work of the current superstep. It contains the definition of the flow, so that it
/// cannot be used with another one. The conversations of agents are separate: [FlowRun#history].
///
/// It is neither secret nor signed: whoever can write it controls the states of the flow. It cannot
/// name classes, and nothing in it is executed. Immutable.
public final class FlowSnapshot {
  static final int FORMAT = 1;

  /// The maximum size; larger files are not read.
  private static final long BYTES_MAX = 64L * 1024 * 1024;

  private static final Codec<Form> CODEC = Codec.of(Form.class);

  private final Form form;

  /// @param states the present values, by their keys
  /// @param suspended the pending waits
  /// @param at the position of the engine
  record Form(
      int format,
      String flow,
      FlowDescription definition,
      Map<String, Json> states,
      List<PendingWait> suspended,
      EnginePosition at) {}

  FlowSnapshot(Form form) {
    this.form = form;
  }

  /// Reads what [#json] wrote.
  ///
  /// @throws FlowError.SnapLoadError if it is something else; with the path to what is wrong
  public static FlowSnapshot parse(String json) {
    try {
      var form = CODEC.decode(Json.parse(json));
      if (form.format() != FORMAT) {
        throw new FlowError.SnapLoadError(
            "its format is " + form.format() + ", and this version reads " + FORMAT + ".", null);
      }
      return new FlowSnapshot(form);
    } catch (MalformedJson e) {
      throw new FlowError.SnapLoadError(String.valueOf(e.getMessage()), e);
    }
  }

  /// Reads a file that [#writeTo] wrote.
  ///
  /// @throws FlowError.SnapLoadError if there is none, or it holds something else
  public static FlowSnapshot readFrom(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new FlowError.SnapLoadError(file + " is larger than " + BYTES_MAX + " bytes.", null);
      }
      return parse(Files.readString(file));
    } catch (IOException e) {
      throw new FlowError.SnapLoadError(file + " cannot be read: " + e, e);
    }
  }

  /// Writes it to a file, whole or not at all.
  ///
  /// @throws FlowError.SnapStoreError if that fails; what was there before is still there
  public void writeTo(Path file) {
    try {
      var folder = file.toAbsolutePath().getParent();
      var part = Files.createTempFile(folder, ".flow", ".part");
      try {
        Files.write(part, json().getBytes(StandardCharsets.UTF_8));
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new FlowError.SnapStoreError(file.toString(), e);
    }
  }

  /// The snapshot as text, in lines.
  public String json() {
    return PrettyJson.of(CODEC.encode(form));
  }

  /// The name of the flow.
  public String flow() {
    return form.flow();
  }

  /// The keys of the states that are there.
  public List<String> states() {
    return List.copyOf(form.states().keySet());
  }

  /// The answers that the flow waits for.
  public List<PendingWait> suspended() {
    return form.suspended();
  }

  Form form() {
    return form;
  }

  @Override
  public String toString() {
    return "snapshot of flow " + flow() + " with " + states();
  }
}
