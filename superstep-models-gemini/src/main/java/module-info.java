/// Gemini over Google's own library.
///
/// Start at [dev.superstep.model.gemini.GeminiModels].
@org.jspecify.annotations.NullMarked
module dev.superstep.models.gemini {
  requires transitive dev.superstep.agent;
  requires com.google.genai;
  requires dev.superstep.models;
  requires okhttp3;
  requires tools.jackson.databind;

  exports dev.superstep.model.gemini;

  provides dev.superstep.model.ModelProvider with
      dev.superstep.model.gemini.GeminiModels;
}
