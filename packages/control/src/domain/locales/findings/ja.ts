import { type FindingTexts, text } from "./language.ts";

const notYours = "必要な作業はありません。状況が変わらない場合は、サポートにお問い合わせください。";
const byItself = "必要な作業はありません。自動でもう一度確認します。";
const addBelow = "{provider} で、ここに表示されているレコードをそのまま追加してください。";
const onItsWay = text(
  "{domain} のレコードを設定しています",
  "必要な作業はありません。通常は数分で完了します。",
);
const dnssecElsewhere = {
  operator: text("{domain} の接続先の名前で DNSSEC が壊れています", notYours),
  wait: text("{zone} の上位で DNSSEC が壊れています", byItself),
};
const mayExpire = "{domain} の証明書の更新が間に合わない可能性があります";

export const ja: FindingTexts = {
  provider: "お使いの DNS プロバイダー",
  texts: {
    registration_on_hold: text(
      "{zone} は停止されているか、登録の期限が切れています",
      "{zone} を登録した会社に必要な手続きを確認し、期限が切れている場合は更新してください。それまで訪問者はアクセスできません。状態: {status}",
    ),
    not_registered: text(
      "{zone} は登録されていないか、期限が切れています",
      "ドメインの購入先で {zone} を登録または更新するか、つづりを確認してください。更新後、反映に数時間かかることがあります。",
    ),
    dnssec_ds_stale: text(
      "{zone} の DNSSEC が以前の DNS プロバイダーのまま残っています",
      "{zone} の購入先で DNSSEC を無効にしてください（DS レコードを削除）。それまで多くの訪問者がアクセスできません。",
      dnssecElsewhere,
    ),
    dnssec_broken: text(
      "{zone} の DNSSEC が壊れています",
      "{zone} の購入先で DNSSEC を無効にする（DS レコードを削除）か、DNS プロバイダーで設定し直してください。それまで多くの訪問者がアクセスできません。",
      dnssecElsewhere,
    ),
    ns_unreachable: text(
      "{zone} のネームサーバーが応答しません",
      "{zone} の購入先でネームサーバーの一覧を確認してください。正しい場合は、DNS プロバイダーに障害がないか問い合わせてください。",
    ),
    ns_servfail: text(
      "{zone} のネームサーバーがエラーを返しています",
      "{zone} のネームサーバーのエラーについて、DNS プロバイダーに問い合わせてください。ドメインがそこで設定されていないことがよくあります。",
    ),
    ns_lame: text(
      "{zone} のネームサーバーがこのドメインを認識していません",
      "{zone} の購入先で、DNS プロバイダーが指定するネームサーバーを正確に設定してください。",
    ),
    ns_disagree: text(
      "{zone} のネームサーバーの内容が一致していません",
      "{zone} の購入先で、DNS プロバイダーが指定するネームサーバーを正確に設定してください。それまで一部の訪問者には変更が反映されないことがあります。",
    ),
    ns_mixed_operators: text(
      "{zone} の DNS が複数のプロバイダーに分かれています",
      "すべてのプロバイダーでレコードを追加するか、1 つのプロバイダーのネームサーバーだけを使ってください。",
    ),
    dns_moved: text(
      "{zone} の DNS は {provider} に移っています",
      "{provider} でレコードを追加してください。以前のプロバイダーでの変更は反映されません。",
    ),
    zone_delegated: text(
      "{zone} には独自の DNS 設定があります",
      "上位のドメインではなく、{zone} の設定でレコードを追加してください。",
    ),
    hostname_conflict: text(
      "{domain} はすでに接続されています",
      "ご自身のドメインであれば、ここに表示されているレコードを追加して証明してください。もう一方のアカウントも証明しなければ、ドメインを失います。",
      {
        tenant: text(
          "{domain} は当面、別のアカウントのままです",
          "そのアカウントが改めて所有を証明しました。あなたの証明は {time} から再び有効になります。それまでレコードを残しておいてください。",
        ),
        wait: text(
          "{domain} の所有を証明しました",
          "もう一方のアカウントが証明しなければ、{time} にあなたへ移ります。それまでレコードを残しておいてください。",
        ),
      },
    ),
    hostname_proven_by_both: text(
      "2 つのアカウントが {domain} の所有を証明したため、相手のアカウントに残ります",
      "両方のレコードがある間は変わりません。ご自身のものにする場合は、{provider} で {type} レコード {name} のうち値が {observed} のものを削除し、もう一方は残してください。今すぐ削除すれば、{domain} は {time} にあなたへ移ります。相手のアカウントに残す場合は、代わりに値が {expected} のレコードを削除してください。",
      {
        wait: text(
          "別の人も {domain} の所有を証明しましたが、引き続きあなたのものです",
          "あなたのレコードは確認済みで、数分以内（遅くとも {time} まで）に確定します。それまで値が {expected} のレコードを残しておいてください。{domain} を別の人に移す場合を除き、{provider} で {type} レコード {name} のうち値が {observed} のものを削除してください。",
        ),
      },
    ),
    hostname_contested: text(
      "別の人が {domain} の所有を証明しました",
      "引き続き使うには、{time} までに、ここに表示されているレコードを追加してください。",
      {
        wait: text("別の人が {domain} を求めていますが、あなたのレコードは確認済みです", byItself),
      },
    ),
    ownership_unanswered: text(
      "応答する {zone} のネームサーバーが足りません",
      "自動でもう一度確認します。1 時間たっても変わらない場合は、DNS プロバイダーに障害がないか問い合わせてください。",
    ),
    ownership_cname: text(
      "証明用のレコードの場所に別のレコードがあります",
      "{provider} で CNAME レコード {name} を削除し、ここに表示されているレコードを追加してください。",
    ),
    ownership_wildcard: text(
      "証明がすべての名前（*）用のレコードにあります",
      "{provider} でそのレコードを削除し、ここに表示されているレコードを正確な名前で追加してください。",
    ),
    ownership_partial: text("証明用のレコードが反映されつつあります", byItself),
    ownership_altered: text(
      "証明用の値が途中で変わっています",
      "{provider} で、引用符や空白を入れずに、ここにあるとおりの値を設定し直してください。",
    ),
    ownership_doubled_name: text(
      "証明用のレコードの名前に {zone} が 2 回入っています",
      "{provider} では {zone} が自動で付きます。ここに表示されている名前に変更してください。",
    ),
    ownership_wrong_name: text(
      "証明用のレコードの名前が違います",
      "値は正しいのですが、名前が {observed} になっています。ここに表示されている名前に変更してください。",
    ),
    ownership_other_token: text(
      "証明用のレコードが以前の設定のものです",
      "{provider} で、値をここに表示されているものに置き換えてください。",
    ),
    ownership_mismatch: text("証明用のレコードの値が違います", addBelow),
    ownership_missing: text("証明用のレコードがまだありません", addBelow, { wait: onItsWay }),
    wrong_dns_provider: text(
      "{zone} では {provider} のレコードだけが有効です",
      "すでに追加した場合は、場所を確認してください。{zone} の購入先に表示される DNS 設定は無効なことがあります。",
    ),
    ownership_seen: text("証明用のレコードを確認しました", byItself, {
      tenant: text("証明用のレコードを確認しました", "続けるには、最初からやり直してください。"),
    }),
    domain_connect_cancelled: text(
      "{provider} で承認されませんでした",
      "{zone} を持つアカウントで {provider} にもう一度ログインして承認するか、ご自身でレコードを追加してください。",
    ),
    domain_connect_refused: text(
      "{provider} でレコードが設定されませんでした",
      "{zone} を持つアカウントで、しばらくしてからもう一度試すか、ご自身でレコードを追加してください。",
    ),
    provider_auth: text(
      "{provider} へのアクセスが拒否されました",
      "ここに表示されているとおりに、ご自身でレコードを追加してください。アクセス権の更新は、接続先のサイトが行います。",
    ),
    credential_failing: text(
      "{provider} へのアクセスが拒否されました",
      "{domain} はそのまま動作しています。アクセス権の更新は、接続先のサイトが行います。",
    ),
    provider_unsupported: text(
      "{provider} ではレコードを自動で設定できません",
      "ここに表示されているとおりに、ご自身でレコードを追加してください。",
    ),
    provider_not_delegated: text(
      "{zone} の DNS は、自動で設定できる場所とは別の場所で管理されています",
      "ここに表示されているとおりに、{provider} でレコードを追加してください。",
    ),
    provider_busy: text(
      "{provider} は現在、変更を受け付けていません",
      "自動でもう一度試します。お急ぎの場合は、ご自身でレコードを追加してください。",
    ),
    provider_write_failed: text(
      "{provider} でレコードを設定できませんでした",
      "もう一度試すか、ご自身でレコードを追加してください。",
    ),
    record_loop: text(
      "{name} の参照先が循環しています",
      "{provider} で CNAME レコード {name} を、ここに表示されているものに置き換えてください。",
    ),
    record_proxied: text(
      "{name} はプロキシの後ろにあります",
      "{provider} でレコード {name} を編集し、プロキシをオフ（「DNS only」、灰色の雲）にしてください。プロキシの後ろのレコードは確認できません。",
    ),
    cdn_not_forwarding: text(
      "{cdn} はまだ {name} の訪問者をここに送っていません",
      "{cdn} で {name} の宛先を、ここに表示されているものに設定してください。プロキシはオンのままで構いません。宛先が正しい場合は、リクエストを転送またはブロックするルールがないか確認してください。",
    ),
    cdn_tls_flexible: text(
      "{cdn} は {domain} の訪問者を暗号化せずにここに送っています",
      "{cdn} で暗号化モードを「Full (strict)」にしてください。それまで訪問者のリダイレクトが繰り返されます。",
    ),
    cdn_hides_challenge: text(
      "{cdn} のために {domain} の証明書を取得できません",
      "{cdn} で /.well-known/acme-challenge/ へのリクエストを、リダイレクトやキャッシュなしで通してください。または、ここにレコードが表示されていればそれを追加してください。",
    ),
    cdn_caches_probe: text(
      "{cdn} はキャッシュしてはいけない {domain} のページをキャッシュしています",
      "{cdn} で、すべてをキャッシュするルールをオフにするか、ページの設定に従うようにしてください。",
    ),
    behind_cdn: text(
      "{domain} は {cdn} の後ろにありますが、問題ありません",
      "何もする必要はありません。{cdn} の暗号化モードは「Full (strict)」のままにしてください。",
    ),
    proxy_to_proxy: text(
      "{name} のプロキシが接続を通しません",
      "{name} のプロキシをオフ（「DNS only」、灰色の雲）にするか、サポートにお問い合わせください。",
    ),
    record_flattened: text(
      "{name} は名前ではなくアドレスでここに接続されています",
      "{provider} でアドレスのレコードを、ここに表示されているものに置き換えてください。",
    ),
    aaaa_leftover: text(
      "{name} に古いアドレスが残っています",
      "{provider} で {name} の AAAA レコード {observed} を削除してください。一部の訪問者がそちらに接続されてしまいます。",
    ),
    a_leftover: text(
      "{name} に別のアドレスが残っています",
      "{provider} で {name} の {observed} を削除してください。一部の訪問者がそちらに接続されてしまいます。",
    ),
    https_leftover: text(
      "{name} に古い HTTPS レコードが残っています",
      "{provider} で {name} の HTTPS タイプのレコードを削除してください。一部のブラウザーが別の場所に接続してしまいます。",
    ),
    policy_duplicate: text(
      "{name} のメールポリシーが 2 つになります",
      "{provider} で 2 つ目を追加せずに、既存のレコードに必要な値を加えてください。",
    ),
    record_conflict: text(
      "{name} にある別のレコードが妨げになっています",
      "{provider} で、不要であれば、ここに挙げたものを先に削除または移動してください。MX タイプのレコードはメールの受信に使われます。残したい場合は、別の名前を接続してください。",
    ),
    record_target_doubled: text(
      "{name} の参照先の末尾に {zone} が付いています",
      "{provider} で参照先が短い名前として扱われました。末尾にピリオドを付けて入力してください。",
    ),
    record_doubled_name: text(
      "レコードの名前に {zone} が 2 回入っています",
      "{provider} では {zone} が自動で付きます。ここに表示されている名前に変更してください。",
    ),
    private_address: text(
      "{name} は社内などのネットワーク専用のアドレスを指しています",
      "{provider} で {name} の内容を、ここに表示されているものに置き換えてください。",
    ),
    apex_needs_alias: text(
      "{provider} では {name} を別の名前に向けられません",
      "ALIAS または ANAME タイプのレコードを探すか、代わりに www.{name} を接続して {name} をそこへ転送してください。",
      {
        operator: text(
          "{provider} では {name} を別の名前に向けられません",
          "代わりに www.{name} を接続するか、サポートにお問い合わせください。",
        ),
      },
    ),
    record_of_another: text(
      "{name} には別の接続のレコードがあります",
      "{provider} で {name} の内容（{observed}）を、ここに表示されているものに置き換えてください。値は接続ごとに異なります。",
    ),
    record_mismatch: text(
      "{name} は別の場所を指しています",
      "{provider} で {name} の内容（{observed}）を、ここに表示されているものに置き換えてください。",
    ),
    record_missing: text("{name} の {type} レコードがまだありません", addBelow, { wait: onItsWay }),
    servers_disagree: text(
      "変更が反映されつつあります",
      "一部のネームサーバーには反映済みで、残りも通常は数分で反映されます。自動でもう一度確認します。",
    ),
    records_unanswered: text(
      "{zone} のネームサーバーが現在応答しません",
      "自動でもう一度確認します。1 時間たっても変わらない場合は、DNS プロバイダーに障害がないか問い合わせてください。",
    ),
    resolvers_failing: text(
      "現在、インターネットの一部で {zone} を検索できません",
      "多くの場合は一時的なものです。続く場合は、DNS プロバイダーに問い合わせてください。",
    ),
    wildcard_answers: text(
      "すべての名前（*）用のレコードが {name} に応答しています",
      "{provider} で、ここに表示されているレコードをまとめて追加してください。そうすると、そのレコードは {name} に応答しなくなります。",
    ),
    caa_forbidden: text(
      "CAA レコードが {domain} の証明書を禁止しています",
      "{provider} で、ここに表示されているレコードを追加してください。ほかの CAA レコードはそのままで構いません。",
      { operator: text("{domain} の証明書が禁止されています", notYours) },
    ),
    caa_unanswered: text(
      "{zone} のネームサーバーが一部の問い合わせに応答しません",
      "多くの場合は一時的なものです。続く場合は、CAA レコードの問い合わせに応答しない理由を DNS プロバイダーに確認してください。",
    ),
    certificate_revoked: text("{domain} の証明書を更新する必要があります", notYours),
    certificate_expired: text("{domain} の証明書の期限が切れています", notYours),
    certificate_at_risk: text(
      mayExpire,
      "ここに表示されている点を修正してください。その後は自動で更新されます。",
      {
        operator: text(mayExpire, notYours),
        tenant: text("{domain} の証明書の期限が近づいています", notYours),
      },
    ),
    ca_rate_limited: text(
      "証明書の順番を待っています",
      "必要な作業はありません。可能になりしだい自動で申請します。最初からやり直しても早くはなりません。",
    ),
    ca_unavailable: text(
      "現在、証明書は発行されていません",
      "必要な作業はありません。自動でもう一度申請します。",
    ),
    certificate_cached: text(
      "{time} まで古いレコードが見えることがあります",
      "必要な作業はありません。証明書は遅くとも {time} までに発行されます。",
    ),
    certificate_failed: text(
      "{domain} の証明書を取得できませんでした",
      "自動でもう一度試します。必要な作業はありません。1 時間たっても変わらない場合は、サポートにお問い合わせください。",
    ),
    certificate_foreign: text(
      "{domain} の証明書を他の誰かが取得しました",
      "{domain} を CDN や別のホスティングでも使っている場合、または最近まで使っていた場合、必要な作業はありません。心当たりがない場合は、DNS を管理しているサービスのパスワードを変更し、ほかに誰がログインできるかを確認し、{issuer} に証明書の失効を依頼してください。",
    ),
    origin_unreachable: text("{domain} のサイトが応答しません", notYours),
    origin_missing: text("{domain} のサイトはまだ設定されていません", notYours),
    registration_expiring: text(
      "{zone} の登録は {date} まで有効です",
      "{zone} を登録した会社で更新してください。自動更新される場合は、何もする必要はありません。",
    ),
    quota_exceeded: text(
      "{domain} はサービスの管理者による対応を待っています",
      "お客様の操作は不要です。自動的に続行されます。変わらない場合は、サポートにお問い合わせください。",
    ),
    check_failed: text(
      "現在 {domain} を確認できません",
      "ここでもう一度確認してください。解決しない場合は、サポートにお問い合わせください。",
    ),
    gave_up: text(
      "{domain} の確認を終了しました",
      "ここに挙げた点を修正してから、最初からやり直してください。レコードはそのまま使えます。",
    ),
    archived_still_points_here: text(
      "{domain} は切断されましたが、レコードがまだここを指しています",
      "{provider} で、ここに挙げたレコードを削除してください。",
    ),
    cutover_preparing: text(
      "移行の準備中、{domain} は今の場所のままです",
      "訪問者を現在のサイトへ導くレコードはそのままにして、ここで求められているものだけを追加してください。準備が整うと、変更する内容が表示されます。",
    ),
    cutover_ready: text(
      "{domain} は切り替えの準備ができました",
      "お好きなときに切り替えてください。{provider} で古いレコードを新しいものに置き換えます。それまで現在のサイトは動作し続けます。",
    ),
    records_changed: text(
      "{domain} にはこれまでと別のレコードが必要です",
      "{provider} で古いレコードを、ここに表示されているものに置き換えてください。その間もドメインは動作します。",
      { wait: onItsWay },
    ),
    records_cached: text(
      "設定は正しいですが、インターネットの一部に古いレコードが残っています",
      "必要な作業はありません。まもなくすべてに反映されます。",
    ),
    slow_to_change: text(
      "一部の訪問者には、しばらく古いサイトが表示されることがあります",
      "古いレコードは、置き換えた後も最大 {hours} 時間保持されます。",
    ),
    certificate_pending: text(
      "{domain} の証明書を取得しています",
      "必要な作業はありません。通常は 1 分もかかりません。",
    ),
    apex_by_address: text(
      "{domain} はアドレスでここに接続されています",
      "今は必要な作業はありません。アドレスが変わる場合はお知らせします。",
    ),
    www_not_connected: text(
      "{name} はここに接続されていません",
      "訪問者はどちらの形でも入力することがあります。{name} も接続してください。",
    ),
    email_mx_missing: text(
      "{zone} はメールを受信できません",
      "{provider} で、ここに表示されている MX レコード、またはメールサービスが指定する MX レコードを追加してください。",
      { wait: onItsWay },
    ),
    email_mx_elsewhere: text(
      "{zone} のメールは別のサービスに届いています",
      "メールボックスを移した場合は、MX レコードをすべて置き換えてください。両方あると、メールの一部が失われます。",
    ),
    email_spf_multiple: text(
      "{zone} に SPF レコードが複数あり、受信側ですべて無視されます",
      "{provider} で、すべての送信元を含む 1 つだけを残し、ほかは削除してください。",
    ),
    email_spf_missing: text(
      "{zone} の SPF レコードにメールサービスが含まれていません",
      "{provider} で SPF レコードを、ここに表示されているとおりに設定してください。",
    ),
    email_spf_broken: text(
      "{zone} の SPF レコードは受信側で拒否されます",
      "{provider} で、使わなくなった送信元を取り除いてください。",
    ),
    email_dkim_missing: text(
      "{zone} に DKIM レコードがないため、メールが信頼されません",
      addBelow,
      { wait: onItsWay },
    ),
    email_dmarc_missing: text(
      "{zone} に有効な DMARC ポリシーがありません",
      "{provider} で、ちょうど 1 つだけになるようにしてください。",
      { wait: onItsWay },
    ),
    check_incomplete: text(
      "一部は時間内に確認できませんでした",
      "しばらくしてからもう一度確認してください。",
    ),
  },
};
