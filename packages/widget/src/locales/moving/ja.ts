import type { MovingMessages } from "./en.ts";

export const movingJa: MovingMessages = {
  moving_title: "{domain} ではすでにサイトが公開されています",
  moving_lede: "{brand} への移行方法を選んでください。",
  moving_prepare: "先に準備してから切り替える(サイトは止まりません)",
  moving_prepare_lede:
    "訪問者が今のサイトを見ている間に、すべてを準備して確認します。切り替える時期はお客様が決められます。",
  moving_direct: "すぐに切り替える",
  moving_direct_lede: "準備が終わるまで、訪問者にエラーが表示されることがあります。",
  moving_change: "{domain} が {brand} につながるのは、切り替えを指示したときだけです",
  moving_records_lede:
    "これらのレコードで訪問者の行き先が変わることはなく、サイトは今のままです。{provider} で追加してください。",
  moving_validation: "証明書を前もって取得するために使います",
  prepare_title: "準備の間もサイトは止まりません",
  prepare_lede:
    "{domain} の訪問者には引き続き今のサイトが表示されます。準備が終わったらお知らせします。",
  ready_title: "切り替えの準備ができました",
  ready_lede:
    "すべての準備と確認が終わりました。切り替えるまで、{domain} の訪問者には今のサイトが表示されます。",
  ready_switch: "今すぐ切り替える",
  ready_by_hand: "自分でレコードを変更する",
  ready_later:
    "このウィンドウを閉じて、別の日に切り替えることもできます。それまで何も変わりません。",
  switch_records_lede:
    "{provider} でこれらのレコードを変更すると、訪問者が {brand} につながります。",
  switch_records: "これらのレコードを変更してください",
  switching_title: "{brand} に切り替えています",
  switching_lede:
    "レコードを変更しています。しばらくの間は今のサイトが表示される訪問者もいるため、止めないでください。",
  old_server: "{time} までは以前のサーバーを動かしておいてください。その後は停止できます。",
  check_ownership: "ドメインの所有を確認済み",
  check_validation: "証明書を取得できる設定",
  check_certificate: "証明書の取得",
  check_edge: "サーバーの準備",
  check_origin: "{brand} が今のサイトと同じように応答",
  check_caa_dnssec: "今後の証明書の更新",
  check_mail: "メールへの影響なし",
  check_mail_stops: "メールのレコードが妨げになっています",
  check_not_compared: "今のサイトとは比較していません",
  not_compared_unreachable:
    "今のサイトに接続できませんでした。切り替える前にご自身で新しいサイトと比べてください。",
  not_compared_no_address: "現在、このドメインには今のサイトのアドレスがありません。",
  check_open: "未完了",
  differs_title: "新しいサイトの応答が異なります",
  differs_lede:
    "今のサイトと {brand} のトップページの応答が同じではありません。切り替える前に比べてください。",
  differs_accept: "それでも切り替える",
  mail_blocks:
    "切り替えるとメールのレコードが失われます。先に別の名前に移すか、{brand} にお問い合わせください。",
  wildcard_title: "{domain} の下のすべての名前",
  wildcard_lede:
    "one.{domain} や two.{domain} のように、すぐ下の名前はすべて {brand} につながります。自分のレコードを持つ名前はそのままです。",
  wildcard_offer: "下のすべての名前を接続する",
  wildcard_single: "{domain} だけを接続する",
  wildcard_change: "{domain} の下のすべての名前が {brand} につながります",
  wildcard_certificate: "CNAME レコードにより、すべての名前で使える証明書を取得します",
};
