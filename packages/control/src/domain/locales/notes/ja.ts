import type { NoteTexts } from "./en.ts";

export const ja: NoteTexts = {
  mx_host_needed:
    "Microsoft 365 では、メールサーバーがドメインごとに決まっています。管理センターの「設定」「ドメイン」で確認し、1 つ前の画面に戻って MX ホストに入力してください。",
  mx_host_older:
    "2026 年 7 月より前に Microsoft 365 に追加したドメインなら、おそらく {host} です。管理センターの表示と見比べてください。",
  mx_host_unknown:
    "メールサーバー {host} があるかどうか確認できませんでした。Microsoft 365 管理センターの表示と見比べてください。",
  mx_host_missing:
    "{host} というメールサーバーはありません。Microsoft 365 管理センターの表示と見比べてください。",
  mx_host_derived:
    "このドメインのメールサーバーは、おそらく {host} です。正確な名前は Microsoft 365 管理センターに表示されます。",
  mx_hidden: "{domain} の MX レコードはここからは変更できないため、そのままにします。",
  mx_older_set: "現在の MX レコードは同じサービスの以前のものです。そのままで問題ありません。",
  mx_other_own:
    "{domain} には同じサービスの別の MX レコード（{hosts}）があります。そのままにしますので、メールサービスの表示と見比べてください。",
  mx_filtered:
    "{domain} のメールはメールフィルターを通っているため、MX レコードはそのままにします。新しいメールボックスはフィルター側で設定してください。",
  mx_null:
    "{domain} はメールを受信しない設定になっています。新しい MX レコードを追加するときに、その MX レコードを削除してください。",
  mx_elsewhere:
    "{domain} のメールは現在 {holder} に届いているため、MX レコードはそのままにします。メールボックスを移すときは、すべてを一度に置き換えてください。両方があるとメールが失われます。",
  mx_forwarded:
    "{domain} のメールは現在、転送サービスに届いているため、MX レコードはそのままにします。メールボックスを移すときは、すべてを一度に置き換えてください。両方があるとメールが失われます。",
  mx_hosting:
    "{domain} のメールは現在、ホスティング会社のメールボックスに届いているため、MX レコードはそのままにします。メールボックスを移すときは、すべてを一度に置き換えてください。両方があるとメールが失われます。",
  mx_parked:
    "{domain} の MX レコードはドメインパーキングを指しています。そのままにしますので、メールボックスの準備ができたら、すべてを一度に置き換えてください。",
  mx_strict_transport:
    "{domain} には使用できるメールサーバーの一覧（MTA-STS）があります。MX レコードを追加する前に、新しいサーバーを一覧に加えてください。",
  mx_own_server:
    "{domain} のメールは自社のメールサーバーで受信しているようです。不要になったら MX レコードを追加してください。",
  mx_wildcard:
    "すべての名前（*）の MX レコードが {domain} の下の名前のメールを受信しています。そのままにします。",
  mx_no_mail:
    "{domain} はメールを送信しない設定になっています。変わった場合は、MX レコードを手動で追加してください。",
  cname_no_mail:
    "{domain} は別名（CNAME）のため、メールを受信できません。www のない名前など、別の名前でメールを設定してください。",
  cname_no_text:
    "{name} は別名（CNAME）のため、TXT レコードを追加できません。{example} のような専用の名前から送信してください。",
  name_taken:
    "{name} にはすでに別のレコード（{types}）があります。そのままにしますので、不要なら置き換えてください。",
  name_occupied:
    "{name} にはすでに何か設定されています。そのままにしますので、不要なら置き換えてください。",
  dkim_google:
    "DKIM を使うには、Google 管理コンソール（「アプリ」「Google Workspace」「Gmail」「メールの認証」）で鍵を生成し、1 つ前の画面に戻って入力してください。レコードが見つかったら、同じ画面で認証を開始してください。",
  dkim_microsoft:
    "DKIM を使うには、Microsoft Defender ポータルのメール認証の設定に表示される 2 つの参照先を、1 つ前の画面に戻って両方入力してください。",
  dkim_zoho:
    "DKIM を使うには、Zoho Mail の管理画面（「Domains」「Email configuration」「DKIM」）でセレクターを追加し、1 つ前の画面に戻って名前と値を入力してください。",
  dkim_proton:
    "DKIM を使うには、Proton の「Domain names」「DKIM」に表示される 3 つの参照先のうち、1 つを、1 つ前の画面に戻って入力してください。",
  dkim_brevo:
    "Brevo に 2 つの参照先ではなく DKIM の値が表示された場合は、1 つ前の画面に戻ってその値を入力してください。",
  first_google: "メールを Google に向ける前に、Google でメールボックスを作成してください。",
  first_microsoft: "2 つの DKIM レコードが見つかると、Microsoft で DKIM を有効にできます。",
  first_zoho: "Zoho アカウントのリージョンを選んでください。違うとメールが届きません。",
  first_fastmail: "先に Fastmail でドメインを追加してください。DKIM はその後に有効になります。",
  first_proton: "Proton の確認用レコードは残しておいてください。後でもう一度確認されます。",
  first_icloud: "先に iCloud の設定（「カスタムメールドメイン」）でドメインを追加してください。",
  first_mailgun:
    "Mailgun の MX レコードは受信専用のため追加しません。現在のメールはそのまま使えます。",
  dmarc_reports:
    "DMARC レポートの送り先が別のドメインです。そのドメインの側で {name} に TXT レコードを置いて許可する必要があります。",
  dmarc_several:
    "{name} に DMARC レコードが {count} 個あるため、どれも有効になりません。1 つだけ残してください。",
  dmarc_present:
    "{name} にはすでに DMARC レコードがあります。そのままにして、2 つ目を追加しないでください。",
  dmarc_occupied:
    "{name} にはすでに別の設定があります（DMARC サービスかもしれません）。そのままにします。",
  dmarc_above: "{name} の DMARC レコードは {domain} にも適用されます。追加は不要です。",
  spf_once:
    "SPF レコードはドメインに 1 つだけです。すでにある場合は、2 つ目を追加せずに変更してください。",
  spf_right: "SPF レコードはそのままで正しく設定されています。",
  spf_add: "SPF レコードは自動では書き込みません。手動で追加してください。",
  spf_replace: "SPF レコードは自動では書き込みません。手動で置き換えてください。",
  spf_term: "残す SPF レコードに「{term}」を追加してください。",
  spf_unreadable: "SPF レコードに誤りがあります。作成した担当者に修正を依頼してください。",
  spf_unreadable_at:
    "{name} の SPF レコードに誤りがあるため、お使いの SPF レコードも機能しません。",
  spf_several:
    "SPF レコードが {count} 個あるため、どれも有効になりません。必要な送信元を決めて、1 つだけ残してください。",
  spf_opposed:
    "SPF レコードの「{term}」が、この送信元を拒否しています。この部分を外せるか確認してください。",
  spf_long:
    "追加すると SPF レコードが長くなりすぎます（{bytes} / {limit} 文字）。使っていない送信元を外してください。",
  spf_no_mail: "現在の SPF レコードでは、このドメインはメールを送信しないことになっています。",
  spf_allows_all:
    "SPF レコードが「+all」で終わっています。誰でもこのドメインを名乗って送信できてしまいます。",
  spf_term_dead: "SPF レコードの「{term}」は「all」の後ろにあるため、効果がありません。",
  spf_terms_dead: "SPF レコードの「all」より後ろは効果がありません。",
  spf_ptr: "SPF レコードの「ptr」は、多くの受信側で無視されます。",
  spf_circle: "SPF レコードの「{term}」が循環しています。",
  spf_include_empty: "SPF レコードの「{term}」が指すドメインには SPF レコードがありません。",
  spf_include_several: "SPF レコードの「{term}」が指すドメインには SPF レコードが複数あります。",
  spf_lookups: "SPF レコードに必要な問い合わせは、上限 {limit} 回のうち {count} 回です。",
  spf_lookups_least:
    "SPF レコードに必要な問い合わせは、上限 {limit} 回のうち少なくとも {count} 回です。",
  spf_lookups_over:
    "SPF レコードには {count} 回の問い合わせが必要ですが、上限は {limit} 回です。メールが拒否されることがあるため、使っていない送信元を外してください。",
  spf_lookups_void:
    "SPF レコードの {count} か所が存在しない先を指しています。{limit} か所を超えると無効になることがあるため、外してください。",
  dns_incomplete:
    "一部のネームサーバーが応答しませんでした。追加する前に、{domain} の現在の設定を確認してください。",
  nothing_written: "何も書き込んでいません。レコードを手動で追加してください。",
  not_proven: "{domain} の所有がまだ確認できていないため、何も書き込んでいません。",
  credential_refused:
    "DNS プロバイダーがアクセスを受け付けなくなったため、何も書き込んでいません。レコードを手動で追加してください。",
  zone_not_reached:
    "{domain} の DNS にアクセスできないため、何も書き込んでいません。レコードを手動で追加してください。",
  provider_cannot:
    "DNS プロバイダーが一部のレコードを自動では受け付けませんでした。下のレコードを手動で追加してください。",
};
