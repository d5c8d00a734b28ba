/// Hosted models and model servers behind [dev.superstep.model.ChatModel]: OpenAI, Anthropic,
/// Google Gemini, Mistral, Ollama, and any server that speaks OpenAI's chat protocol.
///
/// Start at [dev.superstep.model.vendor.VendorModels]; how each vendor's protocol writes a request
/// and reads a reply begins at `dev.superstep.model.wire.Protocol`.
@org.jspecify.annotations.NullMarked
module dev.superstep.models {
  requires transitive dev.superstep.agent;
  requires java.net.http;
  requires tools.jackson.databind;

  exports dev.superstep.model.vendor;
  // What the adapters over the vendors' own libraries share with the small ones.
  exports dev.superstep.model.wire to
      dev.superstep.models.anthropic,
      dev.superstep.models.gemini,
      dev.superstep.models.openai;

  provides dev.superstep.model.ModelProvider with
      dev.superstep.model.vendor.VendorModelProvider;
}
