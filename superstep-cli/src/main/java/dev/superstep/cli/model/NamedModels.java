package dev.superstep.cli.model;

import dev.superstep.cli.host.FolderPath;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The models of a text by the names that it uses, opened. Closing it ends what they started.
public final class NamedModels implements AutoCloseable {
  private static final String PAIR = "=";

  private final Map<String, Chosen> chosen;
  private final Map<String, ChatModel> models;
  private final Set<String> sources;
  private final List<OpenModel> open;

  private NamedModels(
      Map<String, Chosen> chosen,
      Map<String, ChatModel> models,
      Set<String> sources,
      List<OpenModel> open) {
    this.chosen = chosen;
    this.models = models;
    this.sources = sources;
    this.open = open;
  }

  /// A model and how it was chosen.
  ///
  /// @param shown the URL as it was written
  private record Chosen(ModelChoice choice, String shown) {}

  /// Opens the models for a new thread: those that the user names are before those of the folder.
  ///
  /// @param names the names that the text uses
  /// @throws UsageError if the folder's wish would send data where the user did not agree to
  /// @throws ModelException if a model cannot be had
  public static NamedModels forRun(
      Host host, RagFolder folder, Set<String> names, Optional<String> option) {
    return new Opening(host, folder, names).open(ModelChoice.typed(host, option), Map.of());
  }

  /// Opens the models for a saved thread: those that it began with, unless the user names another.
  ///
  /// @param before what [#label] was
  public static NamedModels forResume(
      Host host, RagFolder folder, Set<String> names, Optional<String> option, String before) {
    var typed = option.map(url -> ModelChoice.of(url, ModelChoice.From.OPTION));
    return new Opening(host, folder, names).open(typed, pairs(before));
  }

  /// Models that answer nothing, for looking at a graph.
  ///
  /// @param why what is said if one is asked all the same
  public static NamedModels none(RagFolder folder, Set<String> names, String why) {
    var models = new LinkedHashMap<String, ChatModel>();
    for (var name : all(folder, names)) {
      models.put(name, ModelOpener.none(new ModelRef("scripted", name), why));
    }
    return new NamedModels(Map.of(), models, Set.of(), List.of());
  }

  private static Set<String> all(RagFolder folder, Set<String> names) {
    // Where the folder lists models, there are no others.
    return folder.models().isEmpty() ? new TreeSet<>(names) : folder.models().keySet();
  }

  /// The models by name.
  public Map<String, ChatModel> models() {
    return models;
  }

  /// The names with the URLs as they were written, for labels and for opening them again.
  public String label() {
    return chosen.entrySet().stream()
        .map(each -> each.getKey() + PAIR + each.getValue().shown())
        .collect(Collectors.joining(" "));
  }

  /// The way in which they answer: `live`, `recorded`, `scripted`, or several of these.
  public String source() {
    return String.join("+", new TreeSet<>(sources));
  }

  /// The URL of a model that the user has to name again to resume, because it is on another machine
  /// or a file of the user.
  public Optional<String> trusted() {
    return chosen.values().stream()
        .filter(each -> each.choice().from() != ModelChoice.From.FOLDER)
        .filter(each -> ModelChoice.needsTrust(each.choice().ref()))
        .map(Chosen::shown)
        .findFirst();
  }

  /// A line for each model: its name, its URL, and who chose it.
  public List<String> lines() {
    return chosen.entrySet().stream()
        .map(each ->
            "%s is %s (%s)"
                .formatted(
                    each.getKey(),
                    each.getValue().shown(),
                    each.getValue().choice().from().title()))
        .toList();
  }

  @Override
  public void close() {
    open.forEach(OpenModel::close);
  }

  private static Map<String, String> pairs(String label) {
    var pairs = new HashMap<String, String>();
    for (var pair : label.split(" ", -1)) {
      int equals = pair.indexOf(PAIR);
      if (equals > 0) pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return pairs;
  }

  /// An opening of the models of a text.
  private record Opening(Host host, RagFolder folder, Set<String> names) {
    NamedModels open(Optional<ModelChoice> typed, Map<String, String> before) {
      var chosen = new LinkedHashMap<String, Chosen>();
      for (var name : all(folder, names)) {
        chosen.put(
            name,
            typed
                .map(choice -> new Chosen(choice, choice.ref().url()))
                .orElseGet(() -> chosen(name, Optional.ofNullable(before.get(name)))));
      }
      var opener = new ModelOpener(host);
      var byRef = new HashMap<ModelRef, OpenModel>();
      var models = new LinkedHashMap<String, ChatModel>();
      var sources = new TreeSet<String>();
      try {
        chosen.forEach((name, each) -> {
          var model = byRef.computeIfAbsent(each.choice().ref(), _ -> opener.open(each.choice()));
          models.put(name, model.model());
          sources.add(model.source());
        });
      } catch (RuntimeException e) {
        byRef.values().forEach(OpenModel::close);
        throw e;
      }
      return new NamedModels(chosen, models, sources, new ArrayList<>(byRef.values()));
    }

    private Chosen chosen(String name, Optional<String> before) {
      var wish = Optional.ofNullable(folder.models().get(name)).or(folder::model);
      if (before.isPresent() && !before.equals(wish)) {
        var choice = ModelChoice.forResume(host, Optional.empty(), before.get());
        return new Chosen(choice, before.get());
      }
      if (wish.isPresent()) return new Chosen(ofFolder(name, wish.get()), wish.get());
      var choice = ModelChoice.forRun(host, Optional.empty(), Optional.empty());
      return new Chosen(choice, choice.ref().url());
    }

    /// A model that the folder names. A file in the folder needs no agreement.
    private ModelChoice ofFolder(String name, String url) {
      var choice = ModelChoice.of(url, ModelChoice.From.FOLDER);
      if (!ModelOpener.isFile(choice.ref())) return ModelChoice.wish(url);
      var file =
          FolderPath.inside(folder.root(), choice.ref().model())
              .orElseThrow(() ->
                  new UsageError(
                      "model.not-agreed",
                      "Model `%s` of %s is the file `%s`, which is not in the folder. If you trust it: --model URL"
                          .formatted(name, folder.root(), choice.ref().model())));
      return new ModelChoice(
          new ModelRef(choice.ref().provider(), file.toString()), ModelChoice.From.FOLDER);
    }
  }
}
