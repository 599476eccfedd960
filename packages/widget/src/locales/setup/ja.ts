import type { SetupMessages } from "./en.ts";

export const setupJa: SetupMessages = {
  your_provider: "ご利用のDNS事業者",
  copied_what: "コピーしました：{what}",
  fix_title: "修正が1つ必要です",
  fix_delay: "時間がかかっています",
  fix_lede: "これが済むと、{domain} の設定が先に進みます。",
  fix_check: "もう一度確認",
  fix_remove: "先にこれを削除してください",
  fix_add: "次の内容が必要です",
  fix_leave: "このウィンドウを閉じて、済んでから戻ってきてもかまいません。",
  check_running: "ネームサーバーに問い合わせています…",
  check_saw: "{time} に確認：{all} 件中 {found} 件のレコードが見つかりました。",
  check_saw_one: "{time} に確認：レコードが見つかりました。",
  check_saw_none: "{time} に確認：レコードはまだありません。",
  check_done: "{time} に確認しました。",
  check_still: "{time} に確認：まだ変わっていません。",
  check_next: "次の確認は遅くとも {time} です。",
  share_subject: "{domain} のDNSレコード",
  share_text:
    "{domain} を {brand} で使えるように、このページのDNSレコードを追加してください。すでに設定済みのものもページで確認できます。",
  share_link: "リンク",
  share_mail: "メールで送る",
  share_native: "共有…",
  share_ready: "リンクができました",
  manual_delete_first: "先に次のレコードを削除してください",
  conflict_other_records: "{name} に別のレコードがあります。",
  conflict_delegated:
    "{name} は別のネームサーバーに委任されているため、ここのレコードは効果がありません。",
  conflict_whole_zone:
    "{provider} は変更のたびにゾーン全体を置き換えます。一覧にないレコードは失われます。",
  conflict_managed: "{provider} の {name} に、ここからは変更できないレコードがあります。",
  conflict_not_writable: "{provider} ではこのレコードを登録できません。",
  conflict_mail_warning:
    "MXレコードは {name} のメールの受信に使われています。削除するとこの名前にメールが届かなくなります。",
  conflict_mail_consent: "{name} では誰もメールを受信していないので、MXレコードを削除してよい",
  plan_blocked: "ここからは変更できません",
  plan_blocked_lede:
    "何も変更されていません。{provider} で変更してからもう一度確認するか、ご自分でレコードを追加してください。",
  refused_auth: "{provider} が入力内容を受け付けません。入力ミス、期限切れ、または権限不足です。",
  refused_not_found:
    "このアクセスでは {provider} の {zone} が見えません。アカウントは正しいですか？",
  refused_rate_limited: "{provider} が待つよう求めています。1分後にもう一度お試しください。",
  refused_unavailable:
    "{provider} が今は応答していません。しばらくしてからもう一度お試しください。",
  refused_conflict: "別のレコードが妨げになり、{provider} が変更を拒否しました。",
  refused_unsupported: "{provider} はこのようなレコードを受け付けません。",
  refused_invalid: "入力内容が足りないか、形式が正しくありません。",
  refused_other: "レコードを書き込めませんでした。",
  refused_nothing: "何も変更されていません。",
  trouble_caa_forbidden: "CAAレコードが {domain} の証明書を禁止しています",
  trouble_caa_forbidden_fix:
    "このドメインでは証明書を発行できる機関が決められていて、当サービスの機関が含まれていません。{provider} でCAAレコードを1つ追加してください。他のものはそのままでかまいません。",
  trouble_certificate_failed: "{domain} の証明書を取得できませんでした",
  trouble_certificate_failed_fix:
    "お客様の操作は不要です。再試行されます。1時間たっても変わらない場合は、サポートにご連絡ください。",
  trouble_check_failed: "現在 {domain} を確認できません",
  trouble_check_failed_fix:
    "ここでもう一度確認してください。解決しない場合は、サポートにご連絡ください。",
  trouble_dnssec_bogus: "{zone} のDNSSECが壊れています",
  trouble_dnssec_bogus_fix:
    "{zone} を購入したところでDNSSECを無効にする（DSレコードを削除する）か、設定し直してください。それまで多くの訪問者がアクセスできません。",
  trouble_hostname_conflict: "{domain} は別のアカウントに接続されています",
  trouble_hostname_conflict_fix:
    "両方のアカウントが所有を証明したため、相手のアカウントに残ります。どのレコードがあるかを確認しています。",
  trouble_not_registered: "{zone} は登録されていないか、期限切れです",
  trouble_not_registered_fix:
    "ドメインの購入先で {zone} を登録または更新するか、つづりを確認してください。更新後は数時間かかることがあります。",
  trouble_provider_auth: "{provider} にレコードを書き込めませんでした",
  trouble_provider_auth_fix: "ここに示すとおり、ご自分でレコードを追加してください。",
  trouble_provider_not_delegated: "{zone} のDNSは、書き込める場所とは別のところで管理されています",
  trouble_provider_not_delegated_fix: "ここに示すとおり、ご自分でレコードを追加してください。",
  trouble_provider_unsupported: "{provider} ではこのレコードを自動で追加できません",
  trouble_provider_unsupported_fix: "ここに示すとおり、ご自分でレコードを追加してください。",
  cdn_fine: "ドメインは {cdn} の背後にありますが、問題ありません",
  cdn_set:
    "{cdn} で {domain} の宛先を、ここに表示されているレコードに設定してください。プロキシはオンのままで構いません。暗号化モードは「Full (strict)」にしてください。",
  cdn_keep: "変更は必要ありません。{cdn} の暗号化モードは「Full (strict)」のままにしてください。",
  trouble_proxied: "{domain} はプロキシの背後にあります",
  trouble_proxied_fix:
    "{provider} で {domain} のレコードを編集し、プロキシをオフにしてください（「DNS only」、灰色の雲）。背後のレコードは見えません。",
  trouble_quota_exceeded: "{domain} はサービスの管理者による対応を待っています",
  trouble_quota_exceeded_fix:
    "操作は不要です。自動的に続行されます。変わらない場合は、サポートにご連絡ください。",
  trouble_record_conflict: "{domain} で別のレコードが妨げになっています",
  trouble_record_conflict_fix:
    "使われていなければ、{provider} で削除または移動してください。必要な場合は、別の名前を接続してください。",
  trouble_record_mismatch: "{domain} は別の場所を指しています",
  trouble_record_mismatch_fix:
    "現在は {observed} を指しています。{provider} で、ここに示すレコードに置き換えてください。",
  trouble_txt_mismatch: "証明の値が違います",
  trouble_txt_mismatch_fix: "{provider} で、TXTレコードの値をここに示すとおりに設定してください。",
  analysis_guided: "手順ガイド",
  way_minute: "約1分",
  way_manual: "{provider} で手順に沿って設定",
  way_manual_unknown: "手順に沿って設定",
  way_manual_lede: "どこに何を入力するかをご案内します。5分ほどで終わります。",
  way_api: "APIでDNSを管理している",
  way_api_lede:
    "開発者向け：{provider} のアクセスキーを使います。保存せず、もう一度使う前に確認します。",
  access_again: "先ほど入力した {provider} のアクセス情報をもう一度使う",
  access_again_mail: "使わない場合はレコードを表示しますので、ご自身で追加してください。",
  access_again_switch: "使わない場合は、もう一度入力します。",
  guide_open: "{provider} を開く",
  guide_go: "{path} に進みます。",
  guide_add: "下の各レコードについて「{label}」を押し、種類を選びます。",
  guide_add_one: "「{label}」を押し、種類に {type} を選びます。",
  guide_add_section: "下の各レコードについて、その種類の欄で「{label}」を押します。",
  guide_add_section_one: "種類 {type} の欄で「{label}」を押します。",
  guide_add_plain: "下の各レコードを、示された種類で追加します。",
  guide_add_plain_one: "種類 {type} のレコードを追加します。",
  guide_fill:
    "「{host}」と「{value}」をここに示すとおりにコピーします。{zone} は {provider} が自動で名前に付け加えます。",
  guide_fill_full:
    "「{host}」と「{value}」をここに示すとおりにコピーします。名前は省略せずに入力します。",
  guide_cloud:
    "これらのレコードではオレンジの雲を灰色（「DNS only」）に切り替えてください。そうしないと確認できません。",
  guide_quotes: "TXTレコードの値は引用符で囲みます。",
  guide_addresses_apart: "AレコードとAAAAレコードには専用の欄があります。",
  guide_no_apex_alias:
    "{provider} では {zone} 自体にALIASやCNAMEレコードを設定できません。代わりに {www} のような名前を使ってください。",
  guide_no_wildcard: "{provider} ではアスタリスク（*）を含む名前を設定できません。",
  guide_save: "「{label}」を押して保存します。",
  token_open: "{provider} を開く",
  token_which: "お持ちのものを選んでください",
  token_more: "その他の項目",
  step_open: "「{label}」に進みます。",
  step_press: "「{label}」を押します。",
  step_choose: "「{label}」を選びます。",
  step_permit: "次の権限を付けます：{label}",
  step_limit: "{zone} だけに限定します（「{label}」）。",
  step_addresses: "「{label}」に当サービスのアドレスを入力します：{addresses}",
  step_addresses_unknown: "「{label}」に入力するアドレスは {brand} にお問い合わせください。",
  step_copy: "表示されたものをコピーして、下に貼り付けます。",
  error_not_set_up: "このページはまだ設定されていません",
  error_not_set_up_lede:
    "ここでドメインを接続するには、先に {brand} の設定が必要です。{brand} にお問い合わせください。",
  oauth_sign_in: "{provider} にログイン",
  oauth_sign_in_retained_lede:
    "小さなウィンドウで {provider} にログインし、変更を許可してください。許可は、後でこのドメインのレコードを修復できるように保存され、接続を解除すると終了します。",
  oauth_sign_in_lede:
    "小さなウィンドウで {provider} にログインし、変更を許可してください。許可はこの設定にだけ使われます。",
};
