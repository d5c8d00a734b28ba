package dev.superstep.model;

import java.nio.file.Path;

/// Answers with what a model said when it was recorded by [RecordingModel]: the same request always
/// gets the same reply, in any order and from any thread. Replies name the model that was recorded
/// and say [ChatReply.Source#RECORDED]. Immutable, safe for many threads.
public final class RecordedModel implements ChatModel {
  private final Path file;
  private final ModelRef ref;
  private final Recording recording;

  private RecordedModel(Path file, Recording recording) {
    this.file = file;
    this.ref = new ModelRef("recorded", file.toString());
    this.recording = recording;
  }

  /// Reads a recording in full.
  ///
  /// @throws MalformedRecording if a line is bad
  /// @throws ModelException UNAVAILABLE if the file cannot be read
  public static RecordedModel open(Path file) {
    return new RecordedModel(file, Recording.read(file));
  }

  @Override
  public ModelRef ref() {
    return ref;
  }

  /// The URL of the model that was recorded.
  public ModelRef recorded() {
    return ModelRef.parse(recording.header().model());
  }

  /// The number of requests that have a reply.
  public int size() {
    return recording.entries().size();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    var key = RequestKey.of(request).hex();
    var entry = recording.entries().get(key);
    if (entry == null) {
      throw new ModelException(
          ModelException.Kind.UNAVAILABLE,
          """
          Recording %s has no reply to this request (key %s, last message: %s). Record it again \
          with RecordingModel after a change to prompts, tools or types.\
          """
              .formatted(file, key.substring(0, 12), RecordingModel.asked(request)));
    }
    return entry.reply().withSource(ChatReply.Source.RECORDED);
  }

  @Override
  public String toString() {
    return "RecordedModel[" + ref + ", " + file + "]";
  }
}
