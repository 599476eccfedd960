import type { WarningTexts } from "./en.ts";

export const ja: WarningTexts = {
  not_registered: "{zone} はまだ登録されていません。先に登録するか、つづりを確認してください。",
  ending_unknown: "{domain} の末尾は存在しないドメインです。{meant} ではありませんか？",
  mixed_script:
    "{domain} が正しい名前か確認してください。「{label}」には複数の文字体系の文字が混ざっています。",
  latin_lookalike:
    "{domain} が正しい名前か確認してください。「{label}」にはラテン文字と見間違えやすい文字があります。",
  dnssec_broken:
    "{zone} の DNSSEC が壊れているため、多くの訪問者がアクセスできません。{zone} の購入先で DNSSEC を無効にするか、設定し直してください。",
  ns_failing:
    "{zone} のネームサーバーが応答していません。{zone} の購入先でネームサーバーを確認してください。",
  ns_mixed_operators:
    "{zone} の DNS が複数のプロバイダーに分かれています。すべてのプロバイダーでレコードが必要です。",
  provider_ambiguous:
    "{zone} のネームサーバーは複数のブランド（{providers}）で使われています。DNS の管理場所を確認してください。",
  domain_connect_stale:
    "{provider} でレコードを設定できますが、{zone} は別のネームサーバーを使っています。DNS が今もそこで管理されているか確認してください。",
  zone_delegated: "{zone} には独自の DNS 設定があります。レコードはそこに追加します。",
  caa_unanswered:
    "{zone} のネームサーバーが一部の問い合わせに応答しません。応答がないと証明書を発行できません。",
  caa_forbidden:
    "{name} の CAA レコードが証明書を禁止しています。{domain} を公開する前に変更が必要です。",
  record_proxied:
    "{name} はプロキシの後ろにあります。このレコードのプロキシをオフ（「DNS only」、灰色の雲）にしてください。",
  behind_cdn:
    "{name} は {cdn} の後ろにありますが、問題ありません。そこで宛先を表示されたレコードに設定し、暗号化モードを「Full (strict)」にしてください。",
  aaaa_leftover:
    "{name} の AAAA レコード {observed} を削除してください。一部の訪問者がそちらに接続されてしまいます。",
  https_leftover:
    "{name} の HTTPS レコードを削除してください。一部のブラウザーが別の場所に接続してしまいます。",
  slow_to_change: "すべての訪問者に変更が反映されるまで、最大 {hours} 時間かかることがあります。",
  apex_needs_alias:
    "{name} には ALIAS または ANAME タイプのレコード、または固定アドレスが必要です。CNAME は使えません。",
  apex_by_address: "{name} はアドレスでここに接続されます。アドレスが変わる場合はお知らせします。",
  wildcard_answers:
    "現在、すべての名前（*）用のレコードが {name} に応答しています。レコードはまとめて追加してください。",
  check_incomplete:
    "一部のネームサーバーが時間内に応答しませんでした。しばらくしてからもう一度確認してください。",
};
