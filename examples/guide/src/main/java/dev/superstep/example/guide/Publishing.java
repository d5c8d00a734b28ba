package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.flow.Both;
import dev.superstep.flow.Flow;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A pipeline with two branches that meet: a model sums up while code looks for tags.
public final class Publishing {
  record Article(String text) {}

  record Draft(String text) {}

  record Words(List<String> all) {}

  record Summary(String text) {}

  record Tags(List<String> names) {}

  record Post(String summary, List<String> tags) {}

  private Publishing() {}

  static Flow<Article, Post> flow(ChatModel model) {
    var editor =
        Agent.named("editor").model(model).instructions("Sum it up.").answering(Summary.class);
    return Flow.named("publish", Article.class, Post.class)
        .fork(Article.class, Draft.class, Words.class, Publishing::branches)
        .agent(Draft.class, Summary.class, editor)
        .work(Words.class, Tags.class, (words, context) -> tags(words))
        .join(Summary.class, Tags.class, Post.class, (s, t) -> new Post(s.text(), t.names()))
        .build();
  }

  private static Both<Draft, Words> branches(Article article) {
    var words = List.of(article.text().toLowerCase(Locale.ROOT).split("\\W+"));
    return Both.of(new Draft(article.text()), new Words(words));
  }

  private static Tags tags(Words words) {
    return new Tags(Stream.of("ants", "bees", "tunnels").filter(words.all()::contains).toList());
  }

  public static void main(String[] args) throws InterruptedException {
    var flow = flow(ScriptedModel.saying("{\"text\":\"Ants are builders.\"}"));
    var article = new Article("Ants dig tunnels. They never rest.");
    System.out.println(flow.run(article).output());
    System.out.print(flow.outline());
  }
}
