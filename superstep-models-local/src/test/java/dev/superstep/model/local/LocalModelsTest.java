package dev.superstep.model.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalModelsTest {
  @TempDir Path directory;
  private Path file;
  private LocalModels models;

  @BeforeEach
  void fill() throws IOException {
    file = Files.writeString(directory.resolve("tiny.gguf"), "GGUF weights");
    var model =
        new KnownModel(
            "tiny",
            "tiny.gguf",
            12,
            VerificationMark.hash(file),
            "none",
            URI.create("x:y"),
            List.of());
    models = LocalModels.of(directory, List.of(model));
  }

  @Test
  void whole_weights_are_found_and_hashed_only_once() throws Exception {
    assertThat(models.find("tiny")).contains(file);

    // Same size and time: with the mark in place nobody looks inside.
    var time = Files.getLastModifiedTime(file);
    Files.writeString(file, "GGUF WEIGHTS");
    Files.setLastModifiedTime(file, time);
    assertThat(models.find("tiny")).contains(file);
  }

  @Test
  void a_changed_file_is_hashed_again() throws Exception {
    assertThat(models.find("tiny")).contains(file);
    Files.writeString(file, "GGUF WEIGHTS");
    Files.setLastModifiedTime(file, FileTime.fromMillis(5));

    assertThat(models.find("tiny")).isEmpty();
  }

  @Test
  void half_a_file_is_not_found() throws Exception {
    Files.writeString(file, "GGUF");
    assertThat(models.find("tiny")).isEmpty();
  }

  @Test
  void a_model_that_is_not_there_says_how_to_get_it() {
    var empty = LocalModels.inCache(directory.resolve("none"));
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> empty.open(ModelRef.parse("local://gemma3-270m")))
        .withMessageEndingWith("Run `superstep models pull gemma3-270m`.")
        .matches(e -> e.kind() == ModelException.Kind.UNAVAILABLE);
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> models.open(ModelRef.parse("local://gemma9")))
        .withMessageStartingWith("There is no local model `gemma9`. Known: tiny;");
  }

  @Test
  void a_path_may_stand_for_a_name() {
    assertThat(models.locate(ModelRef.parse("local:///data/my.gguf")))
        .isEqualTo(Path.of("/data/my.gguf"));
    assertThat(models.locate(ModelRef.parse("local://data/my.gguf")))
        .isEqualTo(Path.of("data/my.gguf"));
  }

  @Test
  void the_cache_follows_the_environment() {
    var own = Map.of("SUPERSTEP_CACHE", "/a", "XDG_CACHE_HOME", "/b");
    assertThat(LocalModels.defaultCache(own::get, "Linux", "/h")).isEqualTo(Path.of("/a"));
    var xdg = Map.of("XDG_CACHE_HOME", "/b");
    assertThat(LocalModels.defaultCache(xdg::get, "Linux", "/h"))
        .isEqualTo(Path.of("/b/superstep/models"));
    assertThat(LocalModels.defaultCache(_ -> null, "Linux", "/h"))
        .isEqualTo(Path.of("/h/.cache/superstep/models"));
    assertThat(LocalModels.defaultCache(_ -> null, "Mac OS X", "/h"))
        .isEqualTo(Path.of("/h/Library/Caches/superstep/models"));
  }
}
