/// What the adapters of hosted models share, and nobody else uses: how each vendor's protocol
/// writes a request and reads a reply, where models are asked and with which key, and one HTTP
/// request within a deadline.
///
/// Start at [dev.superstep.model.wire.Protocol].
@org.jspecify.annotations.NullMarked
module dev.superstep.models.wire {
  requires transitive dev.superstep.agent;
  requires transitive tools.jackson.databind;
  requires java.net.http;

  exports dev.superstep.model.wire to
      dev.superstep.models,
      dev.superstep.models.openai,
      dev.superstep.models.anthropic,
      dev.superstep.models.gemini;
}
