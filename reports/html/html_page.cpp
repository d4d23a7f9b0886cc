#include "reports/html/html_page.h"

#include <fmt/format.h>
#include <sha2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "reports/text.h"

namespace lockstep::reports {
namespace {

std::string base64(const std::array<std::uint8_t, SHA256_DIGEST_LENGTH>& bytes) {
  constexpr std::string_view messages =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8U | (k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? messages[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

/// As a policy names an inline script or style.
std::string source_of(std::string_view content) {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  SHA256Final(digest.data(), &context);
  return fmt::format("'sha256-{}'", base64(digest));
}

/// Without what stands before its root, which HTML does not know.
std::string_view picture_root(std::string_view svg) {
  const std::size_t root = svg.find("<svg");
  return root == std::string_view::npos ? std::string_view() : svg.substr(root);
}

/// The sources of a picture's own styles.
void add_styles(std::string_view svg, std::string& policy) {
  constexpr std::string_view opening = "<style";
  for (std::size_t at = svg.find(opening); at != std::string_view::npos;
       at = svg.find(opening, at + 1)) {
    const std::size_t begin = svg.find('>', at) + 1;
    const std::size_t end = svg.find("</style>", begin);
    if (begin == 0 || end == std::string_view::npos) return;
    const std::string source = " " + source_of(svg.substr(begin, end - begin));
    if (policy.find(source) == std::string::npos) policy += source;
  }
}

/// No tag can begin or end in it.
std::string inert(const std::string& json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (const char character : json) {
    if (character == '<') {
      text += "\\u003c";
    } else {
      text += character;
    }
  }
  return text;
}

}  // namespace

std::string html_of(const HtmlPage& page) {
  std::string styles = source_of(page_style);
  for (const std::string& picture : page.pictures) add_styles(picture, styles);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; "
      "style-src {}; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>",
      source_of(page_script), styles, xml_escaped(page.title));
  html += page_style;
  html += "</style>\n</head>\n<body>\n";
  html += page_body;
  for (std::size_t i = 0; i < page.pictures.size(); ++i) {
    html += fmt::format("<template id=\"picture-{}\">", i);
    html += picture_root(page.pictures[i]);
    html += "</template>\n";
  }
  html += "<script type=\"application/json\" id=\"data\">";
  html += inert(page.data);
  html += "</script>\n<script>";
  html += page_script;
  html += "</script>\n</body>\n</html>\n";
  return html;
}

}  // namespace lockstep::reports
