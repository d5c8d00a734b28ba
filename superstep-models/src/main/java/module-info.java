/// Hosted models and model servers behind [dev.superstep.model.ChatModel]: OpenAI, Anthropic,
/// Google Gemini, Mistral, Ollama, and any server that speaks OpenAI's chat protocol.
///
/// Start at [dev.superstep.model.vendor.VendorModels].
@org.jspecify.annotations.NullMarked
module dev.superstep.models {
  requires transitive dev.superstep.agent;
  requires dev.superstep.models.wire;
  requires tools.jackson.databind;

  exports dev.superstep.model.vendor;

  provides dev.superstep.model.ModelProvider with
      dev.superstep.model.vendor.VendorModelProvider;
}
