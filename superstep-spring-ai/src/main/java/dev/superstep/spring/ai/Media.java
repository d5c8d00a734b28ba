package dev.superstep.spring.ai;

import dev.superstep.message.Content;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/// Pictures, files and texts within messages, in both forms.
final class Media {
  private Media() {}

  /// Returns true if the parts are one text at most, before pictures and files that Spring AI can
  /// hold.
  static boolean isPlain(List<Content> parts) {
    return parts.stream().allMatch(Content.Text.class::isInstance) && parts.size() <= 1;
  }

  /// The texts and data of a message.
  ///
  /// @param named whether pictures and files are mentioned, where the form has no place for them
  static String text(List<Content> parts, boolean named) {
    return parts.stream()
        .map(part ->
            switch (part) {
              case Content.Text(var text) -> text;
              case Content.Data(var json) -> json.text();
              case Content.Image(var type, _) -> named ? left(type) : "";
              case Content.ImageLink(var url) -> named ? "[" + url + "]" : "";
              case Content.File(var type, _, _) -> named ? left(type) : "";
              case Content.FileLink(_, var url) -> named ? "[" + url + "]" : "";
              case Content.Thinking _, Content.Extension _ -> "";
            })
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private static String left(String type) {
    return "[" + type + ", which a tool result of Spring AI cannot hold]";
  }

  static List<org.springframework.ai.content.Media> toSpring(List<Content> parts) {
    var media = new ArrayList<org.springframework.ai.content.Media>();
    for (var part : parts) {
      switch (part) {
        case Content.Image(var type, var base64) -> media.add(bytes(type, base64));
        case Content.File(var type, var base64, _) -> media.add(bytes(type, base64));
        case Content.ImageLink(var url) ->
            media.add(new org.springframework.ai.content.Media(pictureType(url), url));
        case Content.FileLink(var type, var url) ->
            media.add(
                new org.springframework.ai.content.Media(MimeTypeUtils.parseMimeType(type), url));
        case Content.Text _, Content.Data _, Content.Thinking _, Content.Extension _ -> {}
      }
    }
    return media;
  }

  private static org.springframework.ai.content.Media bytes(String type, String base64) {
    return new org.springframework.ai.content.Media(
        MimeTypeUtils.parseMimeType(type),
        new ByteArrayResource(Base64.getMimeDecoder().decode(base64)));
  }

  private static MimeType pictureType(URI url) {
    var path = String.valueOf(url.getPath());
    if (path.endsWith(".jpg") || path.endsWith(".jpeg")) return MimeTypeUtils.IMAGE_JPEG;
    if (path.endsWith(".gif")) return MimeTypeUtils.IMAGE_GIF;
    return MimeTypeUtils.IMAGE_PNG;
  }

  static Content fromSpring(org.springframework.ai.content.Media media) {
    var type = media.getMimeType().toString();
    boolean isPicture = media.getMimeType().getType().equals("image");
    return switch (media.getData()) {
      case byte[] bytes -> inline(type, Base64.getEncoder().encodeToString(bytes), isPicture);
      case Resource resource -> inline(type, base64(resource), isPicture);
      case Object other when isLink(String.valueOf(other)) -> {
        var url = URI.create(String.valueOf(other));
        yield isPicture ? new Content.ImageLink(url) : new Content.FileLink(type, url);
      }
      case Object other -> inline(type, String.valueOf(other), isPicture);
    };
  }

  private static boolean isLink(String text) {
    return text.startsWith("https://") || text.startsWith("http://");
  }

  private static Content inline(String type, String base64, boolean isPicture) {
    return isPicture ? new Content.Image(type, base64) : new Content.File(type, base64);
  }

  private static String base64(Resource resource) {
    try {
      return Base64.getEncoder().encodeToString(resource.getContentAsByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
